import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';
import { isShort } from '@ng-ssr/conformance/fuzz';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';

const program = fileURLToPath(new URL('fixture/widgets-server.ts', import.meta.url));
const api = createServer((_request, response) => response.writeHead(503).end());
let apiOrigin: string;

beforeAll(async () => {
  await once(api.listen(0, '127.0.0.1'), 'listening');
  apiOrigin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
});
afterAll(() => void api.close());

interface Reported {
  readonly code: string;
  readonly message: string;
}

/** Starts a server over an engine; it ends with the test. */
async function start(engine: string, zones: string, workers = 0, failOnError = '') {
  const child = fork(program, [engine, zones, String(workers), failOnError], {
    env: { ...process.env, API_ORIGIN: apiOrigin },
    silent: true,
  });
  let printed = '';
  child.stderr!.setEncoding('utf8').on('data', (text: string) => (printed += text));
  child.stdout!.resume();
  onTestFinished(() => child.disconnect());
  const errors: Reported[] = [];
  const port = await new Promise<number>((resolve, reject) => {
    child.on('message', (message: Reported | { port: number }) => {
      if ('port' in message) resolve(message.port);
      else errors.push(message);
    });
    child.once('exit', () => reject(new Error(`The server has not started: ${printed}`)));
  });
  const get = async (path: string) => {
    const response = await fetch(`http://127.0.0.1:${port}${path}`);
    const cache = response.headers.get('cache-status');
    return {
      status: response.status,
      headers: response.headers,
      cache,
      text: await response.text(),
    };
  };
  return { get, errors, printed: () => printed };
}

const engines = ['appEngine', 'commonEngine'];
const all = engines.flatMap((engine) => [
  [engine, 'zoneless', 0],
  [engine, 'zoneless', 1],
  [engine, 'zone.js', 0],
  [engine, 'zone.js', 1],
]) as [string, string, number][];
// In a short run each value of each column, once.
const kinds = isShort ? [all[0]!, all[7]!] : all;
const NAVIGATIONS = [
  ['/constructor', /boom in a constructor/],
  ['/resolver', /HttpErrorResponse: Http failure response for/],
] as const;
const isOfComponent = (path: string): boolean => NAVIGATIONS.every(([of]) => of !== path);

describe.each(kinds)('%s, %s, %i threads', (engine, zones, workers) => {
  it('answers pages whose widgets have failed, reports each once, and stores none', async () => {
    const { get, errors, printed } = await start(engine, zones, workers);
    for (const [path, cause] of [
      ['/async', /Http failure response for \S+\/reviews: 503/],
      ['/subscribe', /Http failure response for \S+\/reviews: 503/],
      ['/floating', /nobody waited/],
      ['/template', /TypeError: .*'length'/],
      ...(engine === 'commonEngine' ? NAVIGATIONS : []),
    ] as const) {
      errors.length = 0;
      for (let i = 1; i <= 2; i++) {
        const { status, headers, cache, text } = await get(`${path}?n=1`);
        expect([path, status, cache]).toEqual([path, 200, 'ng-ssr; fwd=uri-miss; detail=errors']);
        if (isOfComponent(path)) expect(text).toContain('<h1>The page</h1>');
        expect(headers.get('cache-control')).toBe('no-store');
        expect(headers.get('cdn-cache-control')).toBeNull();
        await expect.poll(() => errors).toHaveLength(i);
      }
      for (const { code, message } of errors) {
        expect(code).toBe('NG_SSR_ERROR_UNHANDLED');
        expect(message).toContain(`GET ${path}?n=1 (http://localhost${path}?n=1)`);
        expect(message).toMatch(cause);
        if (/async|subscribe|floating/.test(path))
          expect(message).toContain(`${apiOrigin}/reviews`);
      }
    }
    expect(printed()).not.toContain('reviews');
    expect((await get('/fine')).cache).toContain('stored');
    expect((await get('/fine')).cache).toContain('hit');

    // Angular's app engine has no page of a failed navigation.
    for (const [path, reason] of engine === 'appEngine' ? NAVIGATIONS : []) {
      errors.length = 0;
      const { status, text } = await get(path);
      expect([path, status]).toEqual([path, 500]);
      expect(text).toMatch(reason);
      expect(text).not.toContain('[object Object]');
      await expect.poll(() => errors.map(({ code }) => code)).toEqual(['NG_SSR_RENDER_FAILED']);
    }
  });
});

describe.each(engines)('%s', (engine) => {
  it('fails a page for any error where failOnError is true', async () => {
    const { get, errors } = await start(engine, 'zoneless', 0, 'true');
    for (const path of [
      '/async',
      '/subscribe',
      '/floating',
      '/template',
      '/constructor',
      '/resolver',
    ]) {
      errors.length = 0;
      expect([path, (await get(path)).status]).toEqual([path, 500]);
      expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_RENDER_FAILED']);
    }
  });

  it.each(['/repaired', '/repaired-template'])(
    'keeps %s where a refresh leaves an error',
    async (path) => {
      const { get, errors } = await start(engine, 'zoneless');
      expect((await get(path)).cache).toContain('stored');
      expect((await get(path)).cache).toContain('hit');
      await expect
        .poll(() => errors.map(({ code }) => code))
        .toEqual(['NG_SSR_ERROR_UNHANDLED', 'NG_SSR_REFRESH_FAILED']);
      const { status, text, cache } = await get(path);
      expect([status, text.includes('<h1>The page</h1>')]).toEqual([200, true]);
      expect(cache).toContain('hit');
    },
  );
});
