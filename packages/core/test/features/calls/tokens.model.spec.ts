import type { IncomingMessage, ServerResponse } from 'node:http';
import { Random, seed, stress } from '@ng-ssr/conformance/fuzz';
import { type CallRules, withCalls, withSharedStore } from '@ng-ssr/core';
import { beforeAll, expect, it } from 'vitest';
import { Shelf } from '../shared-store/fake-page-store.ts';
import { storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api.ts';
import { usePagesAsRoutes } from './pages-as-routes.ts';

/** The number of random histories over one and over two servers; NG_SSR_FUZZ_RUNS sets another. */
const RUNS = Number(process.env['NG_SSR_FUZZ_RUNS'] ?? stress(130));
const REQUESTS = 150;
const VISITORS = 6;

let api: Api;
let other: Api;
let random: Random;
let issued = 0;

/** Headers of responses that are for one client alone. */
const FORBIDDING: readonly Record<string, string>[] = [
  { 'set-cookie': 'user=1' },
  { 'cache-control': 'private, max-age=60' },
  { 'cache-control': 'no-store' },
  { 'cache-control': 'max-age=60', vary: '*' },
];

/**
 * `/session` issues a token to each request, `/redirect` leads to the path of its query, and all others show what they were
 * sent.
 */
function answer(request: IncomingMessage, response: ServerResponse): void {
  const { pathname, searchParams } = new URL(request.url!, 'http://api');
  const { headers } = request;
  const send = (): void => {
    if (pathname === '/redirect') {
      const ofOne = random.chance(0.3) ? random.pick(FORBIDDING) : {};
      return void response.writeHead(302, { ...ofOne, location: searchParams.get('to')! }).end();
    }
    if (pathname === '/session') {
      response.writeHead(200, random.pick(FORBIDDING));
      return void response.end(`issued-${++issued}.`);
    }
    const sent = ['cookie', 'authorization', 'x-session', 'origin', 'baggage'];
    response.setHeader('cache-control', random.pick(['max-age=60', 'max-age=0', 'no-cache', '']));
    if (random.chance(0.3)) response.setHeader('etag', '"same"');
    response.end(sent.map((name) => `${name}: ${String(headers[name])}`).join(', '));
  };
  const delayMs = random.pick([0, 0, 1, 4]);
  if (delayMs === 0) send();
  else setTimeout(send, delayMs);
}

beforeAll(async () => {
  [api, other] = await Promise.all([startApi(answer), startApi(answer)]);
});

const tokenOf = (visitor: number): string => `token-${visitor}-0123456789.`;

/** What a page sends with a call, of what its request has; an application's interceptor may do so. */
const SENDS: Record<string, (has: Headers) => Record<string, string>> = {
  nothing: () => ({}),
  service: () => ({ authorization: 'Bearer service' }),
  cookie: (has): Record<string, string> => {
    const cookie = has.get('cookie');
    return cookie === null ? {} : { cookie };
  },
  bearer: (has): Record<string, string> => {
    const [, token] = /user=([^;]+)/.exec(has.get('cookie') ?? '') ?? [];
    return token === undefined ? {} : { authorization: `Bearer ${token}` };
  },
  custom: (has): Record<string, string> => {
    const [, token] = /user=([^;]+)/.exec(has.get('cookie') ?? '') ?? [];
    return token === undefined ? {} : { 'x-session': token };
  },
  authorization: (has): Record<string, string> => {
    const authorization = has.get('authorization');
    return authorization === null ? {} : { authorization };
  },
};

/** Of a module: it sends what all renders have asked for in a few turns as one call, and asks for no credentials. */
let wishes: ((text: string) => void)[] = [];

function loadInBatch(): Promise<string> {
  return new Promise((resolve) => {
    if (wishes.length === 0) setTimeout(() => void sendBatch(), 3);
    wishes.push(resolve);
  });
}

async function sendBatch(): Promise<void> {
  const batch = wishes;
  wishes = [];
  const credentials = random.pick(['same-origin', 'omit', undefined] as const);
  const url = `${api.origin}/forwarded?batch=${batch.length}`;
  const response = await fetch(url, credentials && { credentials }).catch(() => undefined);
  const text = response === undefined ? 'none' : await response.text();
  for (const resolve of batch) resolve(`one of ${batch.length}: ${text}`);
}

/** A page: `/<kind>?call=...`, where each call is `<what it sends> <its credentials> <path>`, or `batch`. */
async function page(request: Request): Promise<Response> {
  const { pathname, searchParams } = new URL(request.url);
  const shown: string[] = [];
  for (const call of searchParams.getAll('call')) {
    if (call === 'batch') {
      shown.push(await loadInBatch());
      continue;
    }
    const [name, credentials, path] = call.split(' ') as [string, RequestCredentials, string];
    const url = path.startsWith('/inner') ? path : `${api.origin}${path}`;
    const headers = SENDS[name]!(request.headers);
    const method = random.chance(0.1) ? 'HEAD' : 'GET';
    const response = await fetch(url, { headers, method, credentials }).catch(() => undefined);
    shown.push(response?.ok === true ? await response.text() : 'none');
  }
  // A page that says of itself that it is for everybody shows no token that was issued to it.
  const isOpen = !pathname.startsWith('/closed');
  const isRuled = pathname.startsWith('/life');
  return new Response(shown.join(' | '), {
    headers: {
      'content-type': 'text/html',
      ...(!isRuled && { 'cache-control': isOpen ? 's-maxage=60' : 'no-store' }),
    },
  });
}

/** Rules of the calls: one of them forwards, some are stored, some joined. */
function randomRules(): CallRules {
  const rule = (): object => ({
    ...(random.chance(0.5) && { cache: random.pick(['shared', { sMaxAge: 60 }] as const) }),
    ...(random.chance(0.7) && { dedupe: true }),
  });
  return {
    [`${api.origin}/forwarded`]: { ...rule(), forward: ['cookie', 'authorization'] },
    [`${api.origin}/redirect`]: { ...rule(), ...(random.chance(0.5) && { forward: ['cookie'] }) },
    '/inner/**': { ...rule(), inProcess: true, forward: random.chance(0.5) ? ['cookie'] : [] },
    '**': rule(),
  };
}

/** The target of a page with random calls. */
function randomTarget(): string {
  const kind = random.pick(['open', 'closed', 'life', 'ruled']);
  const isForAll = kind === 'open' || kind === 'ruled';
  const paths = ['/echo', '/forwarded', ...(isForAll ? [] : ['/session'])];
  const inner = `/inner/open?call=${encodeURIComponent(`${random.pick(Object.keys(SENDS))} include /echo`)}`;
  const targets = [
    ...paths.flatMap((path) => [path, path]),
    `/redirect?to=${random.pick([...paths, `${other.origin}/echo`])}`,
    inner,
  ];
  const calls = Array.from({ length: 1 + random.below(2) }, () => {
    if (random.chance(0.2)) return 'call=batch';
    const name = random.pick(Object.keys(SENDS));
    const credentials = random.pick(['include', 'include', 'same-origin']);
    return `call=${encodeURIComponent(`${name} ${credentials} ${random.pick(targets)}`)}`;
  });
  return `/${kind}?${calls.join('&')}`;
}

/** One random history; returns how many answers came out of a store, and how many showed the visitor's own token. */
async function run(servers: number): Promise<{ hits: number; own: number; batches: number }> {
  const shelf = servers > 1 ? new Shelf() : undefined;
  const calls = randomRules();
  const all: StoredServer[] = Array.from({ length: servers }, () =>
    storedServer(page, {
      routeRules: {
        '/life': { freshness: 'calls', vary: { query: ['call'] } },
        '/ruled': { sMaxAge: 60, vary: { query: ['call'] } },
      },
      features: [withCalls(calls), ...(shelf ? [withSharedStore(shelf.open())] : [])],
      render: { concurrency: 200 },
    }),
  );
  for (const server of all) usePagesAsRoutes(server);
  const targets = Array.from({ length: 12 }, randomTarget);
  /** Who has seen a token that the API has issued. */
  const readers = new Map<string, number>();
  let hits = 0;
  let own = 0;
  let batches = 0;

  const ask = async (request: number): Promise<void> => {
    const visitor = random.below(VISITORS);
    const token = tokenOf(visitor);
    // The first has neither cookie nor token.
    const headers: Record<string, string> =
      visitor === 0
        ? {}
        : random.chance(0.7)
          ? { cookie: `theme=dark; user=${token}` }
          : { authorization: `Bearer ${token}` };
    const target = random.pick(targets);
    const { text, isHit, cache } = await random.pick(all).get(target, headers);
    const about = `visitor ${visitor}, ${decodeURIComponent(target)}: ${text}; ${cache}`;
    if (isHit) hits++;
    if (text.includes(token)) own++;
    if (/one of (?!1:)\d/.test(text)) batches++;
    const tokens: readonly string[] = text.match(/token-\d+-\d+\./g) ?? [];
    expect(
      tokens.filter((each) => each !== token || visitor === 0),
      about,
    ).toEqual([]);
    for (const each of text.match(/issued-\d+\./g) ?? []) {
      expect(readers.get(each) ?? request, about).toBe(request);
      readers.set(each, request);
    }
  };

  const under = new Set<Promise<void>>();
  const failures: unknown[] = [];
  for (let request = 0; request < REQUESTS && failures.length === 0; request++) {
    const followed: Promise<void> = ask(request)
      .catch((error: unknown) => void failures.push(error))
      .finally(() => under.delete(followed));
    under.add(followed);
    if (random.chance(0.1)) await Promise.all(under);
    else if (random.chance(0.3)) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(under);
  await Promise.all(all.map(({ handler }) => handler.close()));
  if (failures.length > 0) throw failures[0];
  return { hits, own, batches };
}

it.each([1, 2])(
  'random histories over %s servers: no visitor gets the token of another one',
  async (servers) => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    const sum = { hits: 0, own: 0, batches: 0 };
    for (let i = 0; i < RUNS; i++) {
      random = new Random(seed + i);
      try {
        const { hits, own, batches } = await run(servers);
        sum.hits += hits;
        sum.own += own;
        sum.batches += batches;
      } catch (cause) {
        throw new Error(`history ${i} of NG_SSR_FUZZ_SEED=${seed}`, { cause });
      }
    }
    console.log(`${RUNS * REQUESTS} requests: ${JSON.stringify(sum)}`);
    expect(sum.hits).toBeGreaterThan(RUNS);
    expect(sum.own).toBeGreaterThan(RUNS);
    expect(sum.batches).toBeGreaterThan(RUNS);
  },
  Math.max(60_000, RUNS * 5000),
);
