import type { ServerResponse } from 'node:http';
import { Random, seed } from '@ng-ssr/conformance/fuzz';
import { type CallRules, withCalls, withSharedStore } from '@ng-ssr/core';
import { beforeAll, expect, it } from 'vitest';
import { Shelf } from '../shared-store/fake-page-store.ts';
import { storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api.ts';

/** The number of random histories; NG_SSR_FUZZ_RUNS sets another. */
const RUNS = Number(process.env['NG_SSR_FUZZ_RUNS'] ?? 5);
const STEPS = 150;

/** What the API says of each item, and whether it names the item's tag. The rule names the others. */
const ITEMS: readonly { readonly cacheControl: string; readonly isTagged: boolean }[] = [
  { cacheControl: 'max-age=60', isTagged: true },
  { cacheControl: 'max-age=60', isTagged: false },
  { cacheControl: 'max-age=0, stale-while-revalidate=60, stale-if-error=60', isTagged: true },
  { cacheControl: 'no-cache', isTagged: false },
  { cacheControl: 'no-store', isTagged: true },
];

const CALLS: CallRules = {
  '**': { cache: 'shared', tags: ({ pathname }) => [`path${pathname}`] },
};

const ROUTES = ['own', 'ruled', 'life', 'call'];

let api: Api;
/** The item's values: of each the latest, and how its answers are delayed. */
let values: number[];
let random: Random;

beforeAll(async () => {
  api = await startApi((request, response) => {
    const item = Number(request.url!.slice(1));
    // An answer may be on its way while its value changes.
    const value = values[item]!;
    const answer = (): void => tell(item, value, request.headers['if-none-match'], response);
    const delayMs = random.pick([0, 0, 0, 1, 5, 12]);
    if (delayMs === 0) answer();
    else setTimeout(answer, delayMs);
  });
});

function tell(
  item: number,
  value: number,
  known: string | undefined,
  response: ServerResponse,
): void {
  const { cacheControl, isTagged } = ITEMS[item]!;
  const etag = `"${value}"`;
  response.setHeader('cache-control', cacheControl).setHeader('etag', etag);
  if (isTagged) response.setHeader('surrogate-key', `other tag${item}`);
  if (random.chance(0.05)) response.writeHead(503).end();
  else if (known === etag) response.writeHead(304).end();
  else response.writeHead(200).end(String(value));
}

async function page(request: Request): Promise<Response> {
  const [, route, ...items] = new URL(request.url).pathname.split('/');
  const shown: string[] = [];
  for (const item of items) {
    const response = await fetch(`${api.origin}/${item}`).catch(() => undefined);
    shown.push(`${item}=${response?.ok === true ? await response.text() : 'none'}`);
  }
  const isFailed = shown.some((text) => text.endsWith('none'));
  const cacheControl = route === 'own' && !isFailed ? 's-maxage=60' : 'no-store';
  return new Response(shown.join(' '), {
    headers: {
      'content-type': 'text/html',
      ...(route !== 'life' && { 'cache-control': cacheControl }),
    },
  });
}

/** One random history; returns how many answers came out of a store. */
async function run(servers: number): Promise<number> {
  const shelf = servers > 1 ? new Shelf() : undefined;
  values = ITEMS.map(() => 0);
  /** No answer to a later request may show an older value. */
  const least = ITEMS.map(() => 0);
  let hits = 0;
  const all: StoredServer[] = Array.from({ length: servers }, () =>
    storedServer(page, {
      routeRules: {
        '/ruled/**': { sMaxAge: 60 },
        '/life/**': { freshness: 'calls', sMaxAge: 60 },
      },
      features: [withCalls(CALLS), ...(shelf ? [withSharedStore(shelf.open())] : [])],
    }),
  );

  const ask = async (): Promise<void> => {
    const first = random.below(ITEMS.length);
    const second = random.chance(0.7) ? first : random.below(ITEMS.length);
    const target = `/${random.pick(ROUTES)}/${first}/${second}`;
    const before = [...least];
    const { text, isHit, cache } = await random.pick(all).get(target);
    if (isHit) hits++;
    for (const [, item, value] of text.matchAll(/(\d+)=(\d+)/g)) {
      const about = `item ${item} of ${target}: ${text}; ${cache}`;
      expect(Number(value), about).toBeGreaterThanOrEqual(before[Number(item)]!);
    }
  };
  const change = async (): Promise<void> => {
    const item = random.below(ITEMS.length);
    const value = ++values[item]!;
    if (random.chance(0.3)) return;
    const tag = ITEMS[item]!.isTagged && random.chance(0.5) ? `tag${item}` : `path/${item}`;
    // Pages of this test have no stale-while-revalidate: one that is purged softly is not shown either.
    await random.pick(all).handler.cache.purge({ tag, hard: random.chance(0.5) });
    least[item] = Math.max(least[item]!, value);
  };

  const under = new Set<Promise<void>>();
  const failures: unknown[] = [];
  const follow = (work: Promise<void>): void => {
    const followed: Promise<void> = work
      .catch((error: unknown) => void failures.push(error))
      .finally(() => under.delete(followed));
    under.add(followed);
  };
  for (let step = 0; step < STEPS && failures.length === 0; step++) {
    const what = random.below(20);
    if (what < 14) follow(ask());
    else if (what < 16) follow(change());
    else if (what < 19) await Promise.all(under);
    else await new Promise((resolve) => setTimeout(resolve, 3));
    if (random.chance(0.5)) await new Promise((resolve) => setImmediate(resolve));
  }
  await Promise.all(under);
  await Promise.all(all.map(({ handler }) => handler.close()));
  if (failures.length > 0) throw failures[0];
  return hits;
}

it.each([1, 2])(
  'random histories over %s servers: after a purge no page and no call shows an older value',
  async (servers) => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    let hits = 0;
    for (let i = 0; i < RUNS; i++) {
      random = new Random(seed + i);
      try {
        hits += await run(servers);
      } catch (cause) {
        throw new Error(`history ${i} of NG_SSR_FUZZ_SEED=${seed}`, { cause });
      }
    }
    expect(hits).toBeGreaterThan(RUNS);
  },
  Math.max(60_000, RUNS * 2000),
);
