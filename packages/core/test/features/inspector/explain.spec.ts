import { expect, it } from 'vitest';
import {
  type ConstantPages,
  type Explanation,
  type Feature,
  type RenderEngine,
  type RouteRule,
  type SsrOptions,
  withPurgeEndpoint,
  withCalls,
} from '@ng-ssr/core';
import type { Substitute } from '@ng-ssr/core/plug';
import { createStubEngine, type StubEngine } from '@ng-ssr/conformance';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { isLongEnough } from '../../../../conformance/test/is-long-enough.ts';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { advance, turn, useClock } from '../../pages/clock.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { html, type Page, type Seen, toSeen } from '../../pages/stored-server.ts';
import { inspectedServer, type InspectedServer } from './inspected-server.ts';

useClock();

const REQUESTS = Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? 600);

const RULES: Readonly<Record<string, RouteRule>> = {
  '/stored/shared/**': {
    sMaxAge: 60,
    staleWhileRevalidate: 30,
    tags: ['shared'],
    vary: { query: ['page'], headers: ['accept-language'] },
  },
  '/stored/ruled-out/**': { cache: false },
  '/stored/page/account': { cache: false },
  '/form': { sMaxAge: 60, staleWhileRevalidate: 60, vary: { query: ['a'] } },
  '/stored/page/*/short': { sMaxAge: 5, staleWhileRevalidate: 5, staleIfError: 20 },
  '/browser/**': { ssr: false },
  '/crawled/**': { ssr: 'bots' },
  '/stored/page/chosen/**': {
    ssr: (request) => !request.headers.has('x-no-render'),
    sMaxAge: 60,
  },
};

const TARGETS = [
  ...['/', '/about', '/about/', '/main-ABCDEFGH.js', '/main-AAAAAAAA.js', '/styles.css'],
  ...['/large.css', '/rendered', '/nostore', '/cached', '/hello', '/old', '/null', '/missing'],
  ...['/empty', '/form?a=1', '/boom', '/halfway', '/connection-headers', '/%61bout'],
  ...['/_cache/purge', '/_ng-ssr/inspector/state', '/live', '/ready', '//host', '/a/../b', '/a%00'],
  ...['/%zz', '/browser/1', '/crawled/1', '/404', '/stored/page/1', '/stored/page/1?utm_source=x'],
  ...['/stored/page/2?q=1', '/stored/page/2;a=1', '/stored/page/account', '/stored/page/a/short'],
  ...['/stored/page/chosen/1', '/stored/shared/1?page=2&x=1', '/stored/shared/1?page=3'],
  ...['/stored/greeting/1', '/stored/missing/1', '/stored/cookie/1', '/stored/private/1'],
  ...['/stored/no-store/1', '/stored/silent/1', '/stored/unavailable/1', '/stored/ruled-out/1'],
  ...['/stored/throws/1', '/stored/moved/1', '/stored/empty/1', '/stored/odd-vary/1'],
];

const HEADERS: readonly Readonly<Record<string, string>>[] = [
  {},
  { 'user-agent': 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)' },
  { 'accept-language': 'de' },
  { authorization: 'Basic x' },
  { 'cache-control': 'no-store' },
  { 'sec-purpose': 'prefetch' },
  { 'x-no-render': '1' },
  { host: 'evil.example' },
  { host: 'a b' },
  { 'accept-encoding': 'gzip' },
  { cookie: 'a=1' },
];

const OPTIONS: Partial<SsrOptions> = {
  routeRules: RULES,
  probes: { live: '/live', ready: '/ready' },
  errorPages: {},
  render: { prefetch: false, bots: { maxStale: 30, renderCold: false } },
};

interface Compared {
  readonly server: InspectedServer;
  readonly engine: StubEngine;
}

function startServer(): Compared {
  const engine = createStubEngine();
  const folder = writeBuiltSite({
    'browser/index.html': prerendered('home'),
    'browser/index.csr.html': '<!doctype html><app-root></app-root>',
    'browser/about/index.html': prerendered('about'),
    'browser/404.html': '<!doctype html><p>no such page</p>',
    'browser/main-ABCDEFGH.js': 'main()',
    'browser/styles.css': 'a{}',
    'browser/large.css': 'a{}'.repeat(40_000),
  });
  const server = inspectedServer(async (request) => (await engine(request)) ?? null, {
    ...OPTIONS,
    cache: { languages: ['en', 'de'] },
    features: [withPurgeEndpoint({ path: '/_cache/purge', token: 'a-token-for-purges' })],
    files: { folder, maxFileBytes: 100_000 },
  });
  return { server, engine };
}

async function explain({ server }: Compared, url: string, headers = {}): Promise<Explanation> {
  const content = { url, headers };
  const { status, text } = await server.inspect('/explain', { method: 'POST', content });
  expect([url, status], text).toEqual([url, 200]);
  return JSON.parse(text) as Explanation;
}

/** Every kind of answer. */
const ANSWERS = ['constant', 'held', 'refused', 'render', 'server', 'stored'];

/** What the server really does, asked in the order of adapters. */
async function ask(
  { server: { handler } }: Compared,
  target: string,
  headers: Readonly<Record<string, string>>,
): Promise<Seen> {
  const exchange = plainExchange(target, headers);
  const found = handler.answer(exchange) ?? (await handler.largeFile(exchange));
  const answer = found ?? (await handler.render(exchange)) ?? handler.notFound(exchange);
  if (!('content' in answer)) return toSeen(answer);
  await answer.content.close();
  return toSeen({ ...answer, body: null });
}

/** The kinds of answers as a client sees them: by Cache-Status. */
function kindOf({ status, cache }: Seen): Explanation['answer'] {
  if (cache.includes('detail=file')) return 'held';
  if (cache.includes('fwd=')) return 'render';
  if (cache.startsWith('hit; ttl=')) return 'stored';
  if (cache.startsWith('hit; detail=csr')) return 'constant';
  if (cache.startsWith('hit')) return 'held';
  if (/^detail=(probe|locale)/.test(cache)) return 'server';
  return cache.includes('INSPECTOR') ? 'server' : status >= 400 ? 'refused' : 'server';
}

it(`explains ${REQUESTS} requests as they are then answered (NG_SSR_FUZZ_SEED=${seed})`, async () => {
  const random = new Random(seed);
  const compared = startServer();
  const { server, engine } = compared;
  await server.handler.ready();
  const kinds = new Set<string>();
  const hasSeenAll = (): boolean => kinds.size >= ANSWERS.length;
  for (let at = 0; !isLongEnough(at, REQUESTS, hasSeenAll); at++) {
    if (random.chance(0.3)) advance(random.below(40));
    if (random.chance(0.05))
      await server.handler.cache.purge({ prefix: '/stored', hard: random.chance(0.5) });
    const target = random.pick(TARGETS);
    const headers = random.pick(HEADERS);
    const name = `${at}: ${target} ${JSON.stringify(headers)}`;

    const before = JSON.stringify([
      server.handler.cache.inspect(),
      engine.renders(),
      server.errors.length,
    ]);
    const explained = await explain(compared, target, headers);
    const after = JSON.stringify([
      server.handler.cache.inspect(),
      engine.renders(),
      server.errors.length,
    ]);
    expect(after, `${name}: nothing has changed`).toBe(before);

    const renders = engine.renders();
    const seen = await ask(compared, target, headers);
    const rendered = engine.renders() - renders;
    kinds.add(explained.answer);
    compare(name, explained, seen, rendered);
    await settle();
  }
  expect([...kinds].sort()).toEqual(ANSWERS);
  await server.handler.close();
});

/** Refreshes end. */
async function settle(): Promise<void> {
  for (let at = 0; at < 10; at++) await turn();
}

function compare(name: string, explained: Explanation, seen: Seen, rendered: number): void {
  const { answer, status, representations, storing, reasons } = explained;
  expect(reasons.length, name).toBeGreaterThan(0);
  // A stored page answers when its render fails: the explanation says that the request waits for the render.
  const isOfError = answer === 'render' && seen.cache.startsWith('hit') && rendered > 0;
  const isFailure = answer === 'render' && seen.status >= 404 && rendered > 0;
  if (!isOfError && !isFailure)
    expect([name, answer, seen.cache]).toEqual([name, kindOf(seen), seen.cache]);
  if (status !== undefined) expect([name, status]).toEqual([name, seen.status]);
  if (answer === 'render') expect([name, rendered]).toEqual([name, 1]);
  // A stale page is rendered again after its answer.
  if (answer !== 'render' && answer !== 'stored') expect([name, rendered]).toEqual([name, 0]);
  // An encoding may be made for the answer alone.
  const isEncoded = seen.header('content-encoding') !== undefined;
  const etag = isEncoded ? undefined : seen.header('etag')?.replace('W/', '');
  if ((answer === 'held' || answer === 'stored') && etag !== undefined && seen.status === 200) {
    const own = representations.map((each) => each.etag?.replace('W/', ''));
    if (own[0] !== undefined) expect([name, own]).toEqual([name, expect.arrayContaining([etag])]);
  }
  if (answer !== 'render' || isOfError) return;
  if (storing?.verdict === 'no')
    expect([name, seen.cache]).not.toEqual([name, expect.stringContaining('stored')]);
  if (storing?.verdict === 'yes' && seen.status === 200) {
    expect([name, seen.cache]).toEqual([
      name,
      expect.stringMatching(/stored|detail=(private|no-store|set-cookie|errors)/),
    ]);
  }
}

it.each<[RouteRule, string]>([
  [{ freshness: 'calls' }, 'Cached for as long as all its API calls are fresh.'],
  [
    { freshness: 'calls', sMaxAge: 60 },
    'Cached, and fresh for at most 60 s, unless the page forbids it.',
  ],
])('explains that a page with the rule %j would be stored', async (rule, reason) => {
  const server = inspectedServer(undefined, {
    features: [withCalls({ '/api/**': { cache: 'shared' } })],
    routeRules: { '/live': rule },
  });
  const content = { url: '/live' };
  const { text } = await server.inspect('/explain', { method: 'POST', content });
  expect((JSON.parse(text) as Explanation).storing).toEqual({ verdict: 'yes', reason });
  await server.handler.close();
});

async function explained(server: InspectedServer, url: string): Promise<Explanation> {
  const { text } = await server.inspect('/explain', { method: 'POST', content: { url } });
  return JSON.parse(text) as Explanation;
}

it('a path without a route is explained as not found, and others as renders', async () => {
  const routes = ['/', '/about', '/products/*'];
  const page: Page = async (request) =>
    new URL(request.url).pathname === '/nowhere' ? null : html('page', {});
  const constantPages = async (): Promise<ConstantPages> => ({
    ...{ routes, pages: [], find: () => undefined },
  });
  const engine: RenderEngine = Object.assign((request: Request) => page(request, 0, undefined), {
    constantPages,
  });
  const server = inspectedServer(undefined, { engine });
  await server.handler.ready();
  const { answer, status, reasons } = await explained(server, '/nowhere');
  expect([answer, status]).toEqual(['refused', 404]);
  expect(reasons[0]).toBe('No route of the application matches the path.');
  expect((await server.get('/nowhere')).status).toBe(404);
  for (const url of ['/', '/about/', '/products/7', '/products/7;a=1']) {
    expect([url, (await explained(server, url)).answer]).toEqual([url, 'render']);
  }
  await server.handler.close();
});

it('names features that may respond and do not say when', async () => {
  const answer = (): undefined => undefined;
  const said = { answer: 'server', status: 503, reasons: [] } as const;
  const saying = (name: string, says?: Substitute['says']): Feature => ({
    name,
    install: () => ({ substitutes: [{ answer, ...(says && { says }) }] }),
  });
  const features = [
    saying('first'),
    saying('saying', ({ path }) => (path === '/said' ? said : undefined)),
    saying('last'),
    withCalls({}),
  ];
  const server = inspectedServer(undefined, { features });
  const named = async (url: string): Promise<string[]> =>
    (await explained(server, url)).reasons.flatMap(
      (reason) => /^The feature (\w+) may respond instead/.exec(reason)?.[1] ?? [],
    );
  expect(await named('/a')).toEqual(['first', 'last']);
  expect(await named('/said')).toEqual(['first']);
  expect(await named('/styles.css')).toEqual(['first', 'last']);
  await server.handler.close();
});

it('a path whose last render has failed is explained with its error, until it renders', async () => {
  let isBroken = true;
  const server = inspectedServer(() => {
    if (isBroken) throw new ReferenceError('window is not defined');
    return html('page', { 'cache-control': 's-maxage=60' });
  });
  await server.handler.ready();
  expect((await server.get('/win?token=one-time-token')).status).toBe(500);
  const { failure, reasons } = await explained(server, '/win');
  expect(failure).toMatchObject({ code: 'NG_SSR_RENDER_FAILED' });
  expect(failure!.message).toContain('ReferenceError: window is not defined');
  expect(failure!.message).not.toContain('one-time');
  expect(reasons[1]).toBe(
    `The last render of this path failed: NG_SSR_RENDER_FAILED: ${failure!.message}`,
  );
  isBroken = false;
  await server.get('/win');
  expect(await explained(server, '/win')).not.toHaveProperty('failure');
  await server.handler.close();
});

it('a stored page is said to be fresh for as long as its table says', async () => {
  const server = inspectedServer();
  await server.handler.ready();
  await server.get('/a');
  advance(0.5);
  const { page, reasons } = await explained(server, '/a');
  expect(page!.ttlSeconds).toBe(59);
  expect(reasons[0]).toContain('is fresh for 59 more seconds');
  await server.handler.close();
});
