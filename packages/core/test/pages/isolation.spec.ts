import { expect, it } from 'vitest';
import { isLongEnough } from '../../../conformance/test/is-long-enough.ts';
import { plainExchange } from '../plain-exchange.ts';
import { advance, turn, useClock } from './clock.ts';
import { Random, seed, stress } from '@ng-ssr/conformance/fuzz';
import { type Page, type Seen, storedServer, type StoredServer, toSeen } from './stored-server.ts';

useClock();

type HeaderRecord = Readonly<Record<string, string>>;

/** All that a page sees of a request. */
function whatItSees(request: Request, context: unknown): string {
  const headers = [...request.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  return `${request.url}\n${headers}\n${JSON.stringify(context)}`;
}

/** Pages that show all they see, each with what keeps it from others; by their paths. */
const PAGES: Readonly<
  Record<string, { readonly headers: HeaderRecord; readonly status?: number }>
> = {
  '/silent': { headers: {} },
  '/private': { headers: { 'cache-control': 'private, max-age=60' } },
  '/no-store': { headers: { 'cache-control': 's-maxage=60, no-store' } },
  '/no-cache': { headers: { 'cache-control': 's-maxage=60, no-cache="x-echo"' } },
  '/set-cookie': { headers: { 'cache-control': 's-maxage=60', 'set-cookie': 'a=b' } },
  '/vary-star': { headers: { 'cache-control': 's-maxage=60', vary: '*' } },
  '/vary': { headers: { 'cache-control': 's-maxage=60', vary: 'Cookie, Authorization, X-User' } },
  '/vary-swr': {
    headers: {
      'cache-control': 's-maxage=5, stale-while-revalidate=20, stale-if-error=60',
      vary: 'cookie,authorization,x-user',
    },
  },
  '/failing': { headers: { 'cache-control': 's-maxage=60' }, status: 500 },
  '/forbidden': { headers: { 'cache-control': 's-maxage=60' }, status: 403 },
  '/moved': { headers: { 'cache-control': 'private', location: '/' }, status: 302 },
  // The rule keeps from these what they may not show.
  '/ruled': { headers: {} },
  '/ruled/cookie': { headers: { 'cache-control': 's-maxage=60, stale-if-error=60' } },
  '/ruled/failing': { headers: {}, status: 500 },
  '/ruled/gone': { headers: {}, status: 404 },
};

const page: Page = async (request, count, context) => {
  const { pathname } = new URL(request.url);
  for (let turns = count % 4; turns > 0; turns--) await turn();
  if (count % 13 === 0) throw new Error(whatItSees(request, context));
  // One that is private for some and varies for others.
  if (pathname === '/mixed') {
    const isKnown = request.headers.has('cookie') || request.headers.has('authorization');
    const headers = isKnown
      ? { 'cache-control': 'private' }
      : { 'cache-control': 's-maxage=60', vary: 'cookie, authorization, x-user' };
    return new Response(whatItSees(request, context), { headers });
  }
  const { headers: own, status } = PAGES[pathname]!;
  const headers = { ...own, 'x-echo': request.headers.get('x-user') ?? 'nobody' };
  return new Response(whatItSees(request, context), { status: status ?? 200, headers });
};

const TOKEN = /tok\d+x/g;

function tokensIn({ text, headers }: Seen): Set<string> {
  return new Set(`${text}\n${headers.join('\n')}`.match(TOKEN));
}

function toServer(): StoredServer {
  return storedServer(page, {
    files: { encodings: [] },
    cache: { languages: ['en', 'de'], maxBytes: 1024 * 1024 },
    routeRules: {
      '/ruled/**': { sMaxAge: 20, staleWhileRevalidate: 20, staleIfError: 60 },
      '/ruled/cookie': {
        sMaxAge: 20,
        vary: { cookies: ['theme'], query: ['page'], headers: ['x-kind'] },
      },
    },
  });
}

const REQUESTS = stress(10_000);

it(`no client gets what another has sent, in ${REQUESTS} mixed requests`, async () => {
  console.log(`NG_SSR_FUZZ_SEED=${seed}`);
  const random = new Random(seed);
  const server = toServer();
  const paths = [...Object.keys(PAGES), '/mixed'];
  const ask = async (i: number): Promise<void> => {
    const user = `tok${random.below(200)}x`;
    const headers: Record<string, string> = {
      host: random.pick(['localhost', 'other.example']),
      'user-agent': user,
      'x-forwarded-for': user,
    };
    if (random.chance(0.6)) headers['cookie'] = `session=${user}; theme=${random.pick(['a', 'b'])}`;
    if (random.chance(0.4)) headers['authorization'] = `Bearer ${user}`;
    headers['x-user'] = user;
    if (random.chance(0.3)) headers['x-kind'] = random.pick(['a', 'b']);
    if (random.chance(0.3)) headers['accept-language'] = `de, ${user};q=0.1`;
    if (random.chance(0.05)) headers['cache-control'] = 'no-store';
    if (random.chance(0.1)) headers['if-none-match'] = '*';
    const path = random.pick(paths);
    const target = random.chance(0.3) ? `${path}?user=${user}&utm_source=${user}&page=1` : path;
    const method = random.chance(0.1) ? 'HEAD' : 'GET';
    const status = random.chance(0.03) ? 503 : 200;
    const exchange = { ...plainExchange(target, headers, method), status };
    // What an adapter's request context has of this user.
    const answer =
      server.handler.answer(exchange) ?? (await server.handler.render(exchange, { user }));
    const seen = toSeen(answer!);
    // What a route with a rule shows belongs to no visitor, not even to the one who asks.
    const own = path.startsWith('/ruled') ? undefined : user;
    const foreign = [...tokensIn(seen)].filter((token) => token !== own);
    if (foreign.length > 0) {
      const request = `${method} ${target} ${JSON.stringify(headers)}`;
      expect.fail(`seed ${seed}, request ${i}: ${request} got ${foreign.join()}`);
    }
    if (seen.isHit) hits++;
  };
  let hits = 0;
  // Of 1,000 requests 97 to 171 were hits: one purge early or late changes the number of many.
  const hasEnoughHits = (): boolean => hits > stress(500);
  for (let i = 0; !isLongEnough(i, REQUESTS, hasEnoughHits); i += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, at) => ask(i + at)));
    advance(random.fraction() * 3);
    if (random.chance(0.1)) {
      await server.handler.cache.purge({ prefix: '/ru', hard: random.chance(0.5) });
    }
    if (random.chance(0.1)) await server.handler.cache.purge({ path: random.pick(paths) });
  }
  expect(hits).toBeGreaterThan(stress(500));
  // No page of a route with a rule was rendered from anybody's data.
  const ruled = server.requests.flatMap((request, i) =>
    new URL(request.url).pathname.startsWith('/ruled')
      ? [whatItSees(request, server.contexts[i])]
      : [],
  );
  expect(ruled.length).toBeGreaterThan(stress(50));
  expect(ruled.filter((text) => text.match(TOKEN))).toEqual([]);
}, 30_000);

it('the test would see it: a page that is shared by its own word gives what it saw to all', async () => {
  const server = storedServer(
    (request) =>
      new Response(String(request.headers.get('x-user')), {
        headers: { 'cache-control': 's-maxage=60' },
      }),
  );
  await server.get('/open', { 'x-user': 'tok1x' });
  expect([...tokensIn(await server.get('/open', { 'x-user': 'tok2x' }))]).toEqual(['tok1x']);
});
