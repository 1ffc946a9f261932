import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { createGunzip } from 'node:zlib';
import type { Purge } from '@ng-ssr/core';
import {
  type PageContent,
  type PageServerOptions,
  type PageServerState,
  PURGE_ENDPOINT,
} from './page-server-contract.ts';

/** An answer, read to its end. */
export interface PageAnswer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** What Cache-Status says, without this server's name. */
  readonly cache: string;
  /** What the page has in it, where it is one. */
  readonly page: PageContent;
}

/** A request's parts beside its target. */
export interface AskOptions {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** Default: any number of connections, which are kept. */
  readonly agent?: Agent;
}

/** The target of a page that answers with these headers; `echo`, `delay` and `status` are others. */
export function says(path: string, query: Readonly<Record<string, string>>): string {
  return `${path}?${new URLSearchParams(query)}`;
}

/** A server as a process of its own. */
export class ServerProcess {
  readonly #child: ChildProcess;
  readonly #port: number;
  readonly #folder: string;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(child: ChildProcess, port: number, folder: string) {
    this.#child = child;
    this.#port = port;
    this.#folder = folder;
  }

  /** Starts one and waits until it listens. */
  static async start(options: Omit<PageServerOptions, 'browserFolder'>): Promise<ServerProcess> {
    const browserFolder = mkdtempSync(join(tmpdir(), 'ng-ssr-pages-'));
    const parameter = JSON.stringify({ ...options, browserFolder } satisfies PageServerOptions);
    const child = fork(join(import.meta.dirname, 'page-server.ts'), [parameter], {
      execArgv: [],
      env: { ...process.env, NODE_ENV: 'production' },
    });
    const [message] = await Promise.race([
      once(child, 'message') as Promise<[{ port: number }]>,
      once(child, 'exit').then(([code]) => Promise.reject(new Error(`it ended with ${code}`))),
    ]);
    return new ServerProcess(child, message.port, browserFolder);
  }

  get pid(): number {
    return this.#child.pid!;
  }

  /** Rejects when the connection fails. */
  async ask(target: string, options: AskOptions = {}): Promise<PageAnswer> {
    const { method = 'GET', headers = {}, body, agent = this.#agent } = options;
    const sent = request({
      host: '127.0.0.1',
      port: this.#port,
      path: target,
      method,
      // One site for all processes: its origin is part of every key.
      headers: { host: 'shop.example', ...headers },
      agent,
    });
    sent.end(body);
    const [response] = (await once(sent, 'response')) as [IncomingMessage];
    const isEncoded = response.headers['content-encoding'] === 'gzip' && method !== 'HEAD';
    const content = await text(isEncoded ? response.pipe(createGunzip()) : response);
    const answer = {
      status: response.statusCode!,
      headers: response.headers,
      text: content,
      cache: String(response.headers['cache-status']).replace(/^ng-ssr; /, ''),
    };
    return Object.defineProperty(answer as PageAnswer, 'page', {
      get: () => JSON.parse(content) as unknown,
    });
  }

  /** @param path - Whose renders are counted; default: all. */
  state(path?: string): Promise<PageServerState> {
    return this.#control(path === undefined ? 'state' : `state?path=${path}`);
  }

  /** Lets the renders go that wait below `/held/`. */
  release(): Promise<PageServerState> {
    return this.#control('release');
  }

  /** Has every render of a path fail, until {@link mend}. */
  fail(path: string): Promise<PageServerState> {
    return this.#control(`fail?path=${path}`);
  }

  mend(): Promise<PageServerState> {
    return this.#control('mend');
  }

  /** Sets its clock ahead. */
  advance(seconds: number): Promise<PageServerState> {
    return this.#control(`advance?ms=${seconds * 1000}`);
  }

  /** Purges over HTTP. */
  purge(purge: Purge): Promise<PageAnswer> {
    return this.ask(PURGE_ENDPOINT.path, {
      method: 'POST',
      headers: { authorization: `Bearer ${PURGE_ENDPOINT.token}` },
      body: JSON.stringify(purge),
    });
  }

  /** Ends it at once, as a crash does. */
  async kill(signal: NodeJS.Signals = 'SIGKILL'): Promise<void> {
    this.#agent.destroy();
    rmSync(this.#folder, { recursive: true, force: true });
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return;
    this.#child.kill(signal);
    await once(this.#child, 'exit');
  }

  /** Ends it as a deployment does. */
  stop(): Promise<void> {
    return this.kill('SIGTERM');
  }

  async #control(target: string): Promise<PageServerState> {
    const { text } = await this.ask(`/-/${target}`);
    return JSON.parse(text) as PageServerState;
  }
}
