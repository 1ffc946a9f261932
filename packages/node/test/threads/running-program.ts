import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { ProgramSettings } from './program.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));
const TOKEN = 'a-token-of-this-test';

/** An answer. */
export interface Got {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  readonly text: string;
  /** The headers Link of interim responses. */
  readonly hints: readonly unknown[];
  /** The thread that has answered: 0 is the main thread. */
  readonly thread: number;
}

/** What a page says of its render. */
export interface RenderedPage {
  readonly at: string;
  readonly number: number;
  readonly threadId: number;
  readonly context: unknown;
}

/** A running program. */
export interface RunningProgram {
  readonly process: ChildProcess;
  readonly port: number;
  /** Ends `POST /api/block`, and renders with `?held`. */
  unblock(): void;
  /** Its first line: the port, or why it does not listen. */
  readonly said: string;
  readonly exited: Promise<number | null>;
}

/**
 * Starts the program, and waits for its first line.
 *
 * @param onFinished - When it ends; default: with the test.
 */
export async function startProgram(
  settings: Omit<ProgramSettings, 'folder'> = {},
  onFinished: (end: () => Promise<void>) => void = onTestFinished,
): Promise<RunningProgram> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-threads-'));
  mkdirSync(join(folder, 'browser'));
  const write = (name: string, text: string | Buffer): void =>
    writeFileSync(join(folder, 'browser', name), text);
  write('index.html', `<html ng-server-context="ssg">${'home '.repeat(1000)}</html>`);
  write('index.csr.html', '<html><link rel="stylesheet" href="styles.css"></html>');
  write('styles.css', 'p { color: red }'.repeat(100));
  write('large.txt', 'large '.repeat(50_000));
  write('main-ABCDEFGH.js', 'void 0;'.repeat(50_000));
  for (let at = 0; at < (settings.fonts ?? 0); at++)
    write(`${at}.woff2`, Buffer.alloc(64 * 1024, at));
  const all: ProgramSettings = { folder: join(folder, 'browser'), ...settings };
  const child = spawn(process.execPath, [program, JSON.stringify(all)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit').then(([code]) => code as number | null);
  onFinished(async () => {
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true });
  });
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const { value: said = '' } = (await lines.next()) as { readonly value?: string };
  const unblock = (): void => write('unblock', '');
  return { process: child, unblock, port: Number(said), said, exited };
}

/** Sends requests over one connection, one after the other: all to one thread. */
export class Connection {
  readonly #port: number;
  readonly #agent = new Agent({ keepAlive: true, maxSockets: 1 });
  /** The latest thread that has answered. */
  thread = -1;

  constructor(port: number) {
    this.#port = port;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Got> {
    return this.ask('GET', path, headers);
  }

  async page(path: string): Promise<RenderedPage> {
    return toPage(await this.get(path));
  }

  purge(purge: object): Promise<Got> {
    return this.ask('POST', '/purge', { authorization: `Bearer ${TOKEN}` }, JSON.stringify(purge));
  }

  ask(
    method: string,
    path: string,
    headers: Record<string, string> = {},
    content?: string,
  ): Promise<Got> {
    return new Promise((resolve, reject) => {
      const options = { port: this.#port, host: '127.0.0.1', agent: this.#agent };
      const asked = request({ ...options, method, path, headers }, (response) => {
        const chunks: Buffer[] = [];
        response.on('data', (chunk: Buffer) => chunks.push(chunk));
        response.on('error', reject);
        response.on('end', () => {
          const { statusCode = 0, headers } = response;
          this.thread = Number(headers['x-thread'] ?? -1);
          const text = Buffer.concat(chunks).toString();
          resolve({ status: statusCode, headers, text, hints, thread: this.thread });
        });
      });
      const hints: unknown[] = [];
      asked.on('information', ({ headers }) => hints.push(headers['link']));
      asked.on('error', reject);
      asked.end(content);
    });
  }

  /** Resolves when the head of the response has come. */
  async begin(method: string, path: string): Promise<IncomingMessage> {
    const options = { port: this.#port, host: '127.0.0.1', agent: this.#agent };
    const [response] = await once(request({ ...options, method, path }).end(), 'response');
    return response as IncomingMessage;
  }

  close(): void {
    this.#agent.destroy();
  }
}

/** Connections to each of a program's threads, in the order of the threads. */
export async function connectToThreads(port: number, count: number): Promise<Connection[]> {
  const byThread = new Map<number, Connection>();
  while (byThread.size < count) {
    const connection = new Connection(port);
    const { thread } = await connection.get('/api/errors');
    if (byThread.has(thread)) connection.close();
    else byThread.set(thread, connection);
  }
  onTestFinished(() => byThread.forEach((connection) => connection.close()));
  return [...byThread].sort(([a], [b]) => a - b).map(([, connection]) => connection);
}

export function toPage({ status, text }: Got): RenderedPage {
  if (status !== 200) throw new Error(`${status}: ${text}`);
  return JSON.parse(/\{.*\}/.exec(text)![0]) as RenderedPage;
}
