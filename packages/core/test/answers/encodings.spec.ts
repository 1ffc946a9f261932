import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { readFile } from 'node:fs/promises';
import { afterEach, expect, it, vi } from 'vitest';
import { type SsrOptions, withNonce } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { plainExchange } from '../plain-exchange.ts';
import { advance, turn, until, useClock } from '../pages/clock.ts';
import {
  html,
  numbered,
  type Seen,
  storedServer,
  type StoredServer,
} from '../pages/stored-server.ts';

type Compress = (body: Uint8Array, options: object, done: (...result: unknown[]) => void) => void;

/** Node's own zlib, whose calls are counted, can be held back when they are done, and can fail. */
const zlibCalls = vi.hoisted(() => {
  const zlib = process.getBuiltinModule('node:zlib') as unknown as Record<string, Compress>;
  const calls = {
    count: 0,
    running: 0,
    mostRunning: 0,
    fails: false,
    isHeld: false,
    held: [] as (() => void)[],
  };
  for (const name of ['gzip', 'brotliCompress', 'zstdCompress']) {
    const original = zlib[name]!;
    zlib[name] = (body, options, done) => {
      calls.count++;
      calls.mostRunning = Math.max(calls.mostRunning, ++calls.running);
      original(body, options, (error, encoded) => {
        const finish = (): void => {
          calls.running--;
          done(calls.fails ? new Error('zlib has no memory') : error, encoded);
        };
        if (calls.isHeld) calls.held.push(finish);
        else finish();
      });
    };
  }
  process.getBuiltinModule('node:module').syncBuiltinESMExports();
  return calls;
});

useClock();
afterEach(() => {
  for (const finish of zlibCalls.held.splice(0)) finish();
  Object.assign(zlibCalls, { count: 0, running: 0, mostRunning: 0, fails: false, isHeld: false });
});

const BROWSER = { 'accept-encoding': 'gzip, deflate, br, zstd' };
const PRIVATE = { 'cache-control': 'private' };
const SHARED = { 'cache-control': 's-maxage=60' };
const LONG = 'a page that is worth its encoding, '.repeat(100);
const DECODE = { gzip: gunzipSync, br: brotliDecompressSync, zstd: zstdDecompressSync } as const;

function textOf(answer: Seen): string {
  const encoding = answer.header('content-encoding') as keyof typeof DECODE | undefined;
  return encoding === undefined ? answer.text : DECODE[encoding](answer.body!).toString();
}

function encodingOf(answer: Seen): string | undefined {
  return answer.header('content-encoding');
}

/** A server that has taken `ms` milliseconds to code a page; `/late` takes nearly all of its time. */
async function paced(ms: number): Promise<StoredServer> {
  const server = storedServer(
    ({ url }) => {
      const { pathname } = new URL(url);
      if (pathname === '/late') advance(0.99);
      return html(`${pathname} ${LONG}`, PRIVATE);
    },
    { render: { maxWaitMs: 1000 } },
  );
  zlibCalls.isHeld = true;
  for (let i = 0; i < 40; i++) {
    const answer = server.get('/pace', BROWSER);
    await until(() => zlibCalls.held.length === 1);
    advance(ms / 1000);
    zlibCalls.held.shift()!();
    expect(encodingOf(await answer)).toBe('zstd');
  }
  zlibCalls.count = 0;
  return server;
}

// The option.

it.each([
  [{ encodings: ['deflate'] }, 'render.encodings is "deflate" (string); allowed: a list of'],
  [{ encodings: 'br' }, 'render.encodings is "br" (string); allowed: a list of'],
])('%j is refused by name', (render, message) => {
  const options = { engine: () => null, render } as unknown as SsrOptions;
  expect(() => new SsrHandler(options)).toThrow(message);
});

it.each([
  [{}, 'zstd', 'zstd'],
  [{ files: { encodings: [] } }, undefined, undefined],
  [{ files: { encodings: ['gzip', 'br'] } }, 'br', 'br'],
  [{ render: { encodings: [] } }, undefined, undefined],
  [{ cache: { encodings: [] } }, 'zstd', undefined],
  [{ cache: { encodings: ['gzip'] } }, 'zstd', 'gzip'],
  [{ render: { encodings: ['gzip'] } }, 'gzip', 'gzip'],
  [{ files: { encodings: [] }, render: { encodings: ['gzip'] } }, 'gzip', undefined],
] as const)(
  'with %j a page is encoded: %s, the first answer of a stored one: %s',
  async (...row) => {
    const [options, unstored, stored] = row;
    const own = numbered(PRIVATE, options as Partial<SsrOptions>);
    expect(
      encodingOf(await storedServer(() => html(LONG, PRIVATE), options).get('/', BROWSER)),
    ).toBe(unstored);
    expect(
      encodingOf(await storedServer(() => html(LONG, SHARED), options).get('/', BROWSER)),
    ).toBe(stored);
    expect(encodingOf(await own.get('/', BROWSER))).toBeUndefined();
  },
);

it('pages of a server that stores nothing are encoded as well', async () => {
  const server = storedServer(() => html(LONG, SHARED), { cache: false });
  const answer = await server.get('/', BROWSER);
  expect([encodingOf(answer), answer.cache]).toEqual(['zstd', 'fwd=uri-miss']);
  expect(textOf(answer)).toContain(LONG);
});

it('under ng serve, where there is no build, nothing is encoded', async () => {
  const server = storedServer(() => html(LONG, PRIVATE), { files: { folder: '/no/such/folder' } });
  expect(encodingOf(await server.get('/', BROWSER))).toBeUndefined();
});

// The work.

it('a page for a client that has it already is not encoded', async () => {
  const server = storedServer(() => html(LONG, PRIVATE));
  const { header } = await server.get('/', BROWSER);
  expect(zlibCalls.count).toBe(1);
  const same = await server.get('/', { ...BROWSER, 'if-none-match': header('etag')! });
  expect([same.status, zlibCalls.count]).toEqual([304, 1]);
});

it('a crowd that waits for one page shares one encoding, which stays for the hits', async () => {
  const server = storedServer(async () => {
    await turn();
    return html(LONG, SHARED);
  });
  const crowd = await Promise.all(Array.from({ length: 20 }, () => server.get('/p', BROWSER)));
  for (const answer of crowd) {
    expect(encodingOf(answer)).toBe('zstd');
    expect(answer.header('etag')).toBe(crowd[0]!.header('etag'));
  }
  expect([server.requests.length, zlibCalls.count]).toEqual([1, 1]);
  for (let i = 0; i < 3; i++) {
    const hit = await server.get('/p', BROWSER);
    expect([hit.isHit, encodingOf(hit)]).toEqual([true, 'zstd']);
    expect(hit.header('etag')).toBe(crowd[0]!.header('etag'));
  }
  await until(() => server.handler.cache.inspect().pages[0]?.encodings.length === 3);
  expect(zlibCalls.count).toBe(3);
});

it('at most two pages are encoded at a time; the next one waits while that is short', async () => {
  const server = await paced(5);
  const answers = ['/a', '/b', '/c'].map((path) => server.get(path, BROWSER));
  await until(() => zlibCalls.held.length === 2);
  for (let i = 0; i < 20; i++) await turn();
  expect([zlibCalls.count, zlibCalls.mostRunning]).toEqual([2, 2]);
  zlibCalls.isHeld = false;
  for (const finish of zlibCalls.held.splice(0)) finish();
  for (const answer of await Promise.all(answers)) expect(encodingOf(answer)).toBe('zstd');
  expect(zlibCalls.mostRunning).toBe(2);
});

it('a page that would wait for long is sent as it is, at once', async () => {
  const server = await paced(30);
  const first = ['/a', '/b'].map((path) => server.get(path, BROWSER));
  await until(() => zlibCalls.held.length === 2);
  const late = await server.get('/c', BROWSER);
  expect([late.status, encodingOf(late), zlibCalls.count]).toEqual([200, undefined, 2]);
  expect(late.text).toContain('/c a page');
  expect(late.header('vary')).toBe('Accept-Encoding');
  expect(late.header('content-length')).toBe(String(late.body!.byteLength));
  // Its tag is that of the page in the encoding that the client takes.
  const same = await server.get('/c', { ...BROWSER, 'if-none-match': late.header('etag')! });
  expect(same.status).toBe(304);
  zlibCalls.isHeld = false;
  for (const finish of zlibCalls.held.splice(0)) finish();
  for (const answer of await Promise.all(first)) expect(encodingOf(answer)).toBe('zstd');
  expect(encodingOf(await server.get('/d', BROWSER))).toBe('zstd');
});

it('a burst before anything is measured does not wait for long either', async () => {
  const large = 'x'.repeat(4_000_000);
  const server = storedServer(({ url }) => html(url + large, PRIVATE), {
    render: { concurrency: 50 },
  });
  zlibCalls.isHeld = true;
  const answers = Array.from({ length: 30 }, (_, i) => server.get(`/${i}`, BROWSER));
  // Two are held back, so the first that comes is not encoded.
  expect(encodingOf(await Promise.race(answers))).toBeUndefined();
  zlibCalls.isHeld = false;
  for (const finish of zlibCalls.held.splice(0)) finish();
  const encoded = (await Promise.all(answers)).filter((answer) => encodingOf(answer) === 'zstd');
  expect(encoded.length).toBeLessThan(30);
  expect(zlibCalls.mostRunning).toBe(2);
});

it('a page whose encoding would end after its deadline is sent unencoded', async () => {
  const server = await paced(30);
  zlibCalls.isHeld = false;
  const late = await server.get('/late', BROWSER);
  expect([late.status, encodingOf(late), zlibCalls.count]).toEqual([200, undefined, 0]);
  expect(late.text).toContain('/late a page');
  expect(encodingOf(await server.get('/early', BROWSER))).toBe('zstd');
});

it('the page of a client that leaves before its turn is not encoded', async () => {
  const server = await paced(5);
  const first = ['/a', '/b'].map((path) => server.get(path, BROWSER));
  await until(() => zlibCalls.held.length === 2);
  let leave: (() => void) | undefined;
  const left = server.ask({
    ...plainExchange('/left', BROWSER),
    onDisconnect: (listener) => {
      leave = listener;
      return () => undefined;
    },
  });
  const stays = server.get('/stays', BROWSER);
  for (let i = 0; i < 20; i++) await turn();
  leave!();
  zlibCalls.isHeld = false;
  for (const finish of zlibCalls.held.splice(0)) finish();
  expect(encodingOf(await stays)).toBe('zstd');
  expect(encodingOf(await left)).toBeUndefined();
  await Promise.all(first);
  expect(zlibCalls.count).toBe(3);
});

it.each([PRIVATE, SHARED])('when zlib fails a page (%j) is sent as it is', async (headers) => {
  zlibCalls.fails = true;
  const server = storedServer(() => html(LONG, headers));
  const answer = await server.get('/p', BROWSER);
  expect([answer.status, encodingOf(answer)]).toEqual([200, undefined]);
  expect(answer.text).toContain(LONG);
  expect(server.errors).toMatchObject([{ code: 'NG_SSR_ENCODING_FAILED' }]);
  zlibCalls.fails = false;
  expect(encodingOf(await server.get('/other', BROWSER))).toBe('zstd');
});

it('files can be read while pages are encoded', async () => {
  const noise = Array.from({ length: 300_000 }, (_, i) => Math.imul(i, 2654435761) >>> 0).join();
  const server = storedServer(({ url }) => html(url + noise, PRIVATE), {
    render: { encodings: ['br'], concurrency: 50 },
  });
  let encoded = 0;
  const answers = Array.from({ length: 6 }, async (_, i) => {
    const answer = await server.get(`/${i}`, { 'accept-encoding': 'br' });
    if (encodingOf(answer) !== undefined) encoded++;
  });
  await until(() => zlibCalls.running === 2);
  await readFile(import.meta.filename);
  expect(encoded).toBe(0);
  await Promise.all(answers);
  expect(encoded).toBeGreaterThan(0);
});

// With a nonce.

const PLACEHOLDER = 'bm9uY2UtaGVyZQ';
const NONCE: Partial<SsrOptions> = {
  features: [withNonce({ placeholder: PLACEHOLDER, policy: `script-src 'nonce-${PLACEHOLDER}'` })],
};

it.each([PRIVATE, SHARED])(
  "a page with a nonce (%j) is encoded with its answer's own",
  async (headers) => {
    const server = storedServer((_request, _count, _context, setup) => {
      const script = `<script nonce="${setup!.nonce!.secret}">1</script>`;
      return html(script + LONG, headers);
    }, NONCE);
    const nonces = new Set<string>();
    for (const path of ['/1', '/2', '/3']) {
      const answer = await server.get(path, BROWSER);
      expect(encodingOf(answer)).toBe('zstd');
      expect(answer.header('content-length')).toBe(String(answer.body!.byteLength));
      expect(answer.header('cache-control')).toBe('private, no-store');
      expect(answer.header('etag')).toBeUndefined();
      expect(answer.header('vary')).toBe('Accept-Encoding');
      const [, nonce] = /script nonce="([^"]+)"/.exec(textOf(answer))!;
      expect(answer.header('content-security-policy')).toBe(`script-src 'nonce-${nonce}'`);
      nonces.add(nonce!);
    }
    expect(nonces.size).toBe(3);
  },
);

it('each of a crowd has a nonce of its own, encoded', async () => {
  const server = storedServer(async (_request, _count, _context, setup) => {
    await turn();
    return html(`<script nonce="${setup!.nonce!.secret}">1</script>${LONG}`, SHARED);
  }, NONCE);
  const crowd = await Promise.all(Array.from({ length: 5 }, () => server.get('/p', BROWSER)));
  expect(new Set(crowd.map((answer) => textOf(answer))).size).toBe(5);
  expect(crowd.map(encodingOf)).toEqual(Array.from({ length: 5 }, () => 'zstd'));
  expect(server.requests).toHaveLength(1);
});

it('a stored page with a nonce is not encoded in the background: no client gets those bytes', async () => {
  const server = storedServer(
    (_request, _count, _context, setup) =>
      html(`<script nonce="${setup!.nonce!.secret}">1</script>${LONG}`, SHARED),
    NONCE,
  );
  for (let i = 0; i < 4; i++) await server.get('/p');
  for (let turns = 0; turns < 20; turns++) await turn();
  expect([server.requests.length, zlibCalls.count]).toEqual([1, 0]);
});
