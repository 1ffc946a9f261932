import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { makeManifest } from '@ng-ssr/core/pack';
import { unhandledErrors } from '@ng-ssr/core/neutral';
import { toHono } from '@ng-ssr/fetch/hono';
import {
  type BuildManifest,
  createNeutralSsrHandler,
  type NeutralSsrOptions,
  type SsrError,
  withServerTiming,
} from '@ng-ssr/fetch/neutral-server';
import { Hono } from 'hono';
import {
  type Edge,
  withCalls,
  withEarlyHints,
  withEdge,
  withInspector,
  withNonce,
  withPrewarm,
  withPublicConfig,
  withRenderThreads,
  withServerThreads,
  withRequestLog,
  withSpeculationRules,
} from '@ng-ssr/fetch/server';
import { expect, onTestFinished, test } from 'vitest';

const ORIGIN = 'http://shop.example';
const LIMITS = { maxFileBytes: 1000, maxPageBytes: 2000, maxBytes: 20_000, encodings: [] };
const FILES = {
  'about/index.html': '<app-root ng-server-context="ssg">About</app-root>',
  '404.html': '<p>There is none</p>',
  'robots.txt': 'User-agent: *',
  'main-ABCDEFG2.js': '/* large */'.repeat(500),
  'a b&c.bin': 'x'.repeat(1500),
};

function manifestOf(files: Readonly<Record<string, string>> = FILES): Promise<BuildManifest> {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-neutral-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, 'browser', path)), { recursive: true });
    writeFileSync(join(folder, 'browser', path), content);
  }
  return makeManifest(join(folder, 'browser'), 'build', LIMITS, fail);
}

function fail(error: unknown): never {
  throw error;
}

/** A platform's context, whose work a test can wait for. */
class Context {
  readonly work: Promise<unknown>[] = [];

  waitUntil(work: Promise<unknown>): void {
    this.work.push(work);
  }
}

let renders = 0;

function page(request: Request): Response {
  renders++;
  const { pathname } = new URL(request.url);
  const cacheControl = pathname.startsWith('/stored') ? 's-maxage=60' : 'no-store';
  return new Response(`page ${renders}`, {
    headers: { 'content-type': 'text/html', 'cache-control': cacheControl },
  });
}

const options: NeutralSsrOptions = { engine: page, allowedHosts: ['shop.example'], onError: fail };

async function ask(
  ssr: (request: Request, ...rest: unknown[]) => Response | Promise<Response>,
  path: string,
  headers: Record<string, string> = {},
  ...rest: unknown[]
): Promise<Response> {
  return ssr(new Request(ORIGIN + path, { headers }), ...rest);
}

const OF_NODE = [
  withCalls({}),
  withEarlyHints(),
  withEdge({} as Edge),
  withInspector(),
  withNonce({ placeholder: '', policy: '' }),
  withPrewarm({ origin: '' }),
  withPublicConfig({}),
  withRenderThreads(),
  withServerThreads(),
  withRequestLog({ write: () => undefined }),
  withSpeculationRules(),
];

const functionOf = (name: string): string =>
  `with${name.replace(/(?:^|-)(\w)/g, (_match, letter: string) => letter.toUpperCase())}`;

test('what needs Node is refused, with the server that has it', () => {
  const given: [object, string][] = [
    [{ calls: {} }, 'the option calls'],
    ...OF_NODE.map((feature): [object, string] => [
      { features: [feature] },
      `${functionOf(feature.name)}() needs`,
    ]),
    [{ files: {} }, 'the option files'],
    [{ cache: { nonce: {} } }, 'the option cache.nonce'],
    [{ render: { threads: 2 } }, 'the option render.threads'],
  ];
  for (const [wrong, message] of given) {
    const expected = { code: 'NG_SSR_OPTION_UNKNOWN', message: expect.stringContaining(message) };
    expect(() => createNeutralSsrHandler({ ...options, ...wrong })).toThrow(
      expect.objectContaining(expected),
    );
  }
  const invalid: [object, string][] = [
    [{ assets: 'ASSETS' }, 'NG_SSR_OPTION_INVALID'],
    [{ cache: [] }, 'NG_SSR_OPTION_INVALID'],
    [{ cash: false }, 'NG_SSR_OPTION_UNKNOWN'],
    [{ render: { maxWaitMs: 0 } }, 'NG_SSR_OPTION_INVALID'],
    [{ manifest: { version: 0 } }, 'NG_SSR_PACK_INVALID'],
    [{ manifest: null }, 'NG_SSR_PACK_INVALID'],
  ];
  for (const [wrong, code] of invalid) {
    expect(() => createNeutralSsrHandler({ ...options, ...wrong })).toThrow(
      expect.objectContaining({ code }),
    );
  }
});

test('without a manifest pages are rendered, and none is stored, as under ng serve', async () => {
  const ssr = createNeutralSsrHandler(options);
  const [first, second] = [await ask(ssr, '/stored'), await ask(ssr, '/stored')];
  expect(await second.text()).not.toBe(await first.text());
  expect((await ask(ssr, '/about')).headers.get('cache-status')).toBe(
    'ng-ssr; fwd=uri-miss; detail=no-store',
  );
});

test('files of the manifest are answered from it, others by the platform', async () => {
  const asked: (string | null)[][] = [];
  const ssr = createNeutralSsrHandler<[{ readonly folder: string }]>({
    ...options,
    assets: ({ url, headers }, env) => {
      asked.push([new URL(url).pathname, headers.get('range'), headers.get('accept-encoding')]);
      expect(env.folder).toBe('browser');
      if (headers.get('range') === null) return new Response(FILES['main-ABCDEFG2.js']);
      return new Response('11', { status: 206 });
    },
  }).withManifest(await manifestOf());
  const get = (path: string, headers?: Record<string, string>): Promise<Response> =>
    ask(ssr as never, path, headers, { folder: 'browser' });

  expect(await (await get('/about')).text()).toBe(FILES['about/index.html']);
  expect(await (await get('/robots.txt')).text()).toBe(FILES['robots.txt']);
  const coded = { 'accept-encoding': 'gzip' };
  const script = await get('/main-ABCDEFG2.js', coded);
  expect(await script.text()).toBe(FILES['main-ABCDEFG2.js']);
  expect(script.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  const head = await ssr(new Request(`${ORIGIN}/main-ABCDEFG2.js`, { method: 'HEAD' }), {
    folder: '',
  });
  expect(head.headers.get('content-length')).toBe(String(FILES['main-ABCDEFG2.js'].length));
  const etag = script.headers.get('etag')!;
  expect((await get('/main-ABCDEFG2.js', { 'if-none-match': `"x", ${etag}` })).status).toBe(304);
  expect((await get('/a%20b%26c.bin', { range: 'bytes=9000-' })).status).toBe(416);
  const part = await get('/a%20b%26c.bin', { ...coded, range: 'bytes=2-3' });
  expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 2-3/1500']);
  expect(asked).toEqual([
    ['/main-ABCDEFG2.js', null, 'gzip'],
    ['/a%20b%26c.bin', 'bytes=2-3', null],
  ]);
});

test('what a platform says that is no file is a 404 or a 500', async () => {
  const errors: unknown[] = [];
  let answer = new Response(null, { status: 404 });
  const ssr = createNeutralSsrHandler({
    ...options,
    manifest: await manifestOf(),
    assets: () => answer,
    onError: (error) => errors.push(error.code),
  });
  const missing = await ask(ssr, '/main-ABCDEFG2.js', { accept: 'text/html' });
  expect([missing.status, await missing.text()]).toEqual([404, FILES['404.html']]);
  answer = Response.redirect(`${ORIGIN}/elsewhere`);
  const redirected = await ask(ssr, '/main-ABCDEFG2.js');
  expect([redirected.status, redirected.headers.get('location')]).toEqual([500, null]);
  expect(errors).toEqual(['NG_SSR_FILE_UNREADABLE']);
  const without = createNeutralSsrHandler({ ...options, manifest: await manifestOf() });
  expect((await ask(without, '/main-ABCDEFG2.js')).headers.get('cache-status')).toMatch(/fwd=uri/);
});

test("the platform's context has renders and refreshes go on", async () => {
  const ssr = createNeutralSsrHandler({ ...options, manifest: await manifestOf() });
  const context = new Context();
  const first = await (await ask(ssr, '/stored/a', {}, {}, context)).text();
  expect(context.work).toHaveLength(1);
  expect(await (await ask(ssr, '/stored/a', {}, {}, context)).text()).toBe(first);
  expect(context.work).toHaveLength(1);
  const rules = { '/stored/**': { sMaxAge: 60, staleWhileRevalidate: 60 } };
  const patient = createNeutralSsrHandler({
    ...options,
    routeRules: rules,
    manifest: await manifestOf(),
  });
  const old = await (await ask(patient, '/stored/a')).text();
  await patient.cache.purge({ path: '/stored/a' });
  expect(await (await ask(patient, '/stored/a', {}, {}, context)).text()).toBe(old);
  expect(context.work).toHaveLength(2);
  await context.work[1];
  expect(await (await ask(patient, '/stored/a')).text()).not.toBe(old);
});

test('a page that leaves an error unhandled is reported, and not stored', async () => {
  const errors: SsrError[] = [];
  const ssr = createNeutralSsrHandler({
    ...options,
    manifest: await manifestOf(),
    engine: (request) => {
      unhandledErrors(request)!(new Error('a hole'));
      return page(request);
    },
    onError: (error) => errors.push(error),
  });
  const response = await ask(ssr, '/stored/hole');
  expect(response.headers.get('cache-control')).toBe('no-store');
  expect(response.headers.get('cache-status')).toContain('detail=errors');
  expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_ERROR_UNHANDLED']);
});

test("Hono's routes stand between the halves, and its context is the platform's", async () => {
  const ssr = createNeutralSsrHandler({ ...options, manifest: await manifestOf() });
  const pages = toHono(ssr as never);
  const app = new Hono().use(pages.answer as never);
  app.get('/api/time', (c) => c.text('now'));
  app.all('*', pages.render as never);
  const context = new Context();
  const fetch = (path: string): Response | Promise<Response> =>
    app.fetch(new Request(ORIGIN + path), {}, context as never);
  expect(await (await fetch('/api/time')).text()).toBe('now');
  expect((await fetch('/robots.txt')).headers.get('cache-status')).toBe('ng-ssr; hit');
  expect((await fetch('/stored/b')).status).toBe(200);
  expect(context.work).toHaveLength(1);
  // Without a context of the platform's own.
  expect((await app.fetch(new Request(`${ORIGIN}/stored/c`))).status).toBe(200);
});

test('an answer that has waited for a render says how long, and a hit does not', async () => {
  const manifest = await manifestOf();
  const features = [withServerTiming()];
  const ssr = createNeutralSsrHandler({ ...options, manifest, features });
  const timings: (string | null)[] = [];
  for (let i = 0; i < 2; i++) {
    timings.push((await ask(ssr, '/stored')).headers.get('server-timing'));
  }
  expect(timings).toEqual([expect.stringMatching(/^ng-ssr;dur=\d+\.\d$/), null]);
});

test('a platform that takes no more work of a request gets its page', async () => {
  const ssr = createNeutralSsrHandler({ ...options, manifest: await manifestOf() });
  const ended = {
    waitUntil: () => {
      throw new Error('the request has ended');
    },
  };
  const response = await ask(ssr, '/stored/ended', {}, {}, ended);
  expect([response.status, await response.text()]).toEqual([200, `page ${renders}`]);
});
