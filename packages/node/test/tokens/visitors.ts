import { fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type IncomingMessage, type RequestOptions } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { TokenProgramSettings } from './program.ts';

const program = fileURLToPath(new URL('program.ts', import.meta.url));

export interface Page {
  readonly status: number;
  readonly text: string;
  /** Names and values of all headers, and the body. */
  readonly all: string;
  readonly isHit: boolean;
  readonly cache: string;
}

export interface TokenServer {
  readonly port: number;
  get(target: string, headers: Readonly<Record<string, string>>): Promise<Page>;
}

/** Sends a request, and again if the server has closed its idle connection meanwhile. */
async function ask(options: RequestOptions): Promise<IncomingMessage> {
  for (;;) {
    const request = get(options);
    try {
      const [response] = (await once(request, 'response')) as [IncomingMessage];
      return response;
    } catch (error) {
      if (!request.reusedSocket) throw error;
    }
  }
}

/** Starts a program; it ends with the test. */
export async function startTokenServer(
  settings: Omit<TokenProgramSettings, 'folder'>,
): Promise<TokenServer> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-tokens-'));
  writeFileSync(join(folder, 'index.csr.html'), '<app-root></app-root>');
  const all: TokenProgramSettings = { ...settings, folder };
  const child = fork(program, [JSON.stringify(all)], { execArgv: [] });
  const exited = once(child, 'exit');
  const agent = new Agent({ keepAlive: true });
  onTestFinished(async () => {
    agent.destroy();
    child.kill('SIGKILL');
    await exited;
    rmSync(folder, { recursive: true, force: true });
  });
  const [{ port }] = (await Promise.race([
    once(child, 'message'),
    exited.then(([code]) => Promise.reject(new Error(`the program ended with ${code}`))),
  ])) as [{ port: number }];
  return {
    port,
    async get(path, headers) {
      const response = await ask({ host: '127.0.0.1', port, path, headers, agent });
      const body = await text(response);
      const cache = String(response.headers['cache-status']);
      return {
        ...{ status: response.statusCode!, text: body, cache, isHit: /hit/.test(cache) },
        all: `${response.rawHeaders.join(' ')} ${body}`,
      };
    },
  };
}
