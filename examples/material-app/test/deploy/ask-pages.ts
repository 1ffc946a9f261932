import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { brotliDecompressSync } from 'node:zlib';
import { expect } from 'vitest';
import { noteRun } from './run-log.ts';

/** An answer as it came: `fetch` would decode it. */
export interface RawAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | undefined>>;
  readonly body: Buffer;
}

/** How a request reaches a server: over the network, or as an event of a platform. */
export type Ask = (path: string, headers?: Readonly<Record<string, string>>) => Promise<RawAnswer>;

/** Requests over the network. */
export function askOver(origin: string): Ask {
  const ask = rawAskOver(origin);
  return async (path, headers) => {
    const answer = await ask(path, headers);
    noteRun({ asked: `${path} ${answer.status}` });
    return answer;
  };
}

function rawAskOver(origin: string): Ask {
  const request = origin.startsWith('https:') ? httpsRequest : httpRequest;
  return (path, headers = {}) =>
    new Promise((resolve, reject) => {
      const asked = request(`${origin}${path}`, { headers, rejectUnauthorized: false });
      asked.on('error', reject).on('response', (response) => {
        const parts: Buffer[] = [];
        response.on('data', (part: Buffer) => parts.push(part)).on('error', reject);
        response.on('end', () =>
          resolve({
            status: response.statusCode!,
            headers: response.headers as RawAnswer['headers'],
            body: Buffer.concat(parts),
          }),
        );
      });
      asked.end();
    });
}

/** The example's documents name its late calls: the server compresses pages itself after its start. */
async function askEncoded(ask: Ask, headers: Record<string, string> = {}): Promise<RawAnswer> {
  for (;;) {
    const home = await ask('/', { 'accept-encoding': 'br', ...headers });
    if (home.status !== 200 || home.headers['content-encoding'] === 'br') return home;
  }
}

/** What every deployment has to answer: held pages and their tags, renders, files, and nothing for other hosts. */
export async function expectPages(ask: Ask, { hasHostCheck = true } = {}): Promise<void> {
  const home = await askEncoded(ask);
  expect(home.status).toBe(200);
  expect(brotliDecompressSync(home.body).toString()).toContain('ng-server-context="ssg"');
  const { etag } = home.headers;
  const again = await askEncoded(ask, { 'if-none-match': etag! });
  expect([again.status, again.headers['etag'], again.body.byteLength]).toEqual([304, etag, 0]);

  const rendered = await ask('/products/3');
  expect(rendered.status).toBe(200);
  expect(String(rendered.body)).toContain('ng-server-context="ssr"');
  expect((await ask('/no/such/page')).status).toBe(404);

  const script = /<script src="([^"]+\.js)"/.exec(String((await ask('/')).body))![1]!;
  const file = await ask(`/${script}`);
  expect(file.headers['cache-control']).toContain('immutable');
  const packed = await ask(`/${script}`, { 'accept-encoding': 'br' });
  expect(packed.headers['content-encoding']).toBe('br');
  expect(brotliDecompressSync(packed.body)).toEqual(file.body);
  const part = await ask(`/${script}`, { range: 'bytes=10-19' });
  expect([part.status, String(part.body)]).toEqual([206, String(file.body.subarray(10, 20))]);

  if (hasHostCheck) expect((await ask('/', { host: 'evil.example' })).status).toBe(400);
}
