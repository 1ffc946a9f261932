import { expect, it } from 'vitest';
import { type Edge, withEdge, withNonce, withSharedStore } from '@ng-ssr/core';
import { isLongEnough } from '../../../conformance/test/is-long-enough.ts';
import { advance, setClock, turn, useClock } from './clock.ts';
import { Shelf } from '../features/shared-store/fake-page-store.ts';
import { Random, seed, stress } from '@ng-ssr/conformance/fuzz';
import { type Seen, storedServer, type StoredServer } from './stored-server.ts';

useClock();

/** How many random histories are run, of `STEPS` steps each; NG_SSR_FUZZ_RUNS makes it longer. */
const RUNS = Number(process.env['NG_SSR_FUZZ_RUNS'] ?? stress(25));
const STEPS = 150;

const KINDS = ['a', 'b', undefined];
const USERS = ['ann', 'bob', undefined];
const PATHS = ['/own', '/vary', '/ruled', '/vary/deep', '/mood'];
const FRESH_SECONDS = 10;
const STALE_SECONDS = 20;
const STORED = `s-maxage=${FRESH_SECONDS}, stale-while-revalidate=${STALE_SECONDS}, stale-if-error=${STALE_SECONDS}`;

/** What the oracle knows of a render; its number is in its page. */
interface Rendering {
  readonly path: string;
  readonly kind: string | undefined;
  readonly user: string | undefined;
  readonly isPrivate: boolean;
  readonly startAtMs: number;
  readonly startedAfterPurge: number;
  endAtMs: number;
}

const NONCE = { placeholder: 'bm9uY2UtaGVyZQ', policy: "script-src 'nonce-bm9uY2UtaGVyZQ'" };
const EDGE: Edge = {
  name: 'Fake',
  settleMs: 0,
  noStoreHeaders: ['cdn-cache-control', 'no-store'],
  headersOf: ({ tags }) => ['x-tags', tags.join()],
  purge: () => Promise.resolve(),
};

interface DonePurge {
  readonly isMeant: (path: string) => boolean;
  readonly hard: boolean;
}

/** How many hits an edge was told to keep. */
let kept = 0;

/** One random history over servers that share a store, or over one that shares nothing. */
async function run(random: Random, servers: number, history: number): Promise<number> {
  const shelf = servers > 1 ? new Shelf() : undefined;
  const renderings: Rendering[] = [];
  const purges: DonePurge[] = [];
  const pending = new Set<Promise<void>>();
  const isFilled = history % 3 === 2;
  const edge = history % 2 === 0 ? EDGE : undefined;
  const nonces = new Set<string>();
  let mood = 'stored';
  let hits = 0;

  const all: StoredServer[] = Array.from({ length: servers }, () =>
    storedServer(
      async (request, _count, _context, setup) => {
        const path = new URL(request.url).pathname;
        const user = request.headers.get('cookie') ?? undefined;
        const said = path === '/ruled' ? 'stored' : path === '/mood' ? mood : random.pick(MOODS);
        const rendering: Rendering = {
          path,
          kind: request.headers.get('x-kind') ?? undefined,
          user,
          isPrivate: said !== 'stored',
          startAtMs: performance.now(),
          startedAfterPurge: purges.length,
          endAtMs: Number.POSITIVE_INFINITY,
        };
        const number = renderings.push(rendering) - 1;
        for (let turns = random.below(6); turns > 0; turns--) await turn();
        if (random.chance(0.1)) throw new Error('cracked');
        rendering.endAtMs = performance.now();
        const status = random.chance(0.05) ? 503 : 200;
        const script = isFilled ? `<script nonce="${setup!.nonce!.secret}"></script>` : '';
        return new Response(`<p>render ${number};${script}`, {
          status,
          headers: {
            'content-type': 'text/html',
            'cache-control': said === 'stored' ? STORED : said === 'private' ? 'private' : '',
            'cache-tag': `tag${path}`,
            ...(said === 'cookie' && { 'cache-control': STORED, 'set-cookie': `user=${user}` }),
            ...(path.startsWith('/vary') && { vary: 'x-kind' }),
          },
        });
      },
      {
        files: { encodings: [] },
        render: { concurrency: 4, maxWaitMs: 60_000 },
        routeRules: {
          '/ruled': { sMaxAge: FRESH_SECONDS, staleWhileRevalidate: STALE_SECONDS },
        },
        features: [
          ...(shelf ? [withSharedStore(shelf.open())] : []),
          ...(edge ? [withEdge(edge)] : []),
          ...(isFilled ? [withNonce(NONCE)] : []),
        ],
      },
    ),
  );

  const checkTraits = (seen: Seen, { isPrivate }: Rendering, about: string): void => {
    const isForEdge = seen.header('x-tags') !== undefined;
    if (isForEdge) expect([edge, isFilled, isPrivate], about).toEqual([EDGE, false, false]);
    if (!isFilled) return;
    const [, nonce] = /nonce="([^"]*)"/.exec(seen.text)!;
    expect(seen.header('content-security-policy'), about).toBe(`script-src 'nonce-${nonce}'`);
    expect(seen.header('cache-control'), about).toBe('private, no-store');
    expect([nonce === NONCE.placeholder, nonces.has(nonce!)], about).toEqual([false, false]);
    nonces.add(nonce!);
  };

  const check = (seen: Seen, asked: Asked): void => {
    const number = /render (\d+);/.exec(seen.text)?.[1];
    if (number === undefined) return expect(seen.status).toBeGreaterThanOrEqual(500);
    const rendering = renderings[Number(number)]!;
    const about = `render ${number} for ${JSON.stringify(asked)}: ${seen.cache}`;
    expect(rendering.path, about).toBe(asked.path);
    if (asked.path.startsWith('/vary')) expect(rendering.kind, about).toBe(asked.kind);
    // What is for one reader alone was rendered for the request it answers.
    if (rendering.isPrivate && seen.status < 500) {
      expect([rendering.user, seen.isHit], about).toEqual([asked.user, false]);
      expect(rendering.startedAfterPurge, about).toBeGreaterThanOrEqual(asked.purgesBefore);
    }
    if (asked.path === '/ruled') {
      expect([rendering.user, rendering.kind], about).toEqual([undefined, undefined]);
    }
    checkTraits(seen, rendering, about);
    expect(Number(seen.header('age') ?? 0), about).toBeGreaterThanOrEqual(0);
    const ttl = /^hit; ttl=(-?\d+)/.exec(seen.cache)?.[1];
    if (ttl === undefined) return;
    hits++;
    const isForEdge = seen.header('x-tags') !== undefined;
    if (isForEdge) kept++;
    if (Number(ttl) < 0) expect(isForEdge, about).toBe(false);
    // Time may pass between the answer and this look at it, so only what was so at its start counts.
    const ageSeconds = (asked.atMs - rendering.endAtMs) / 1000;
    expect(ageSeconds, about).toBeLessThan(FRESH_SECONDS + STALE_SECONDS);
    if (Number(ttl) > 0) expect(ageSeconds, about).toBeLessThan(FRESH_SECONDS);
    for (const { isMeant, hard } of purges.slice(rendering.startedAfterPurge, asked.purgesBefore)) {
      if (!isMeant(asked.path)) continue;
      expect(hard, `${about}, purged hard before`).toBe(false);
      expect(Number(ttl), `${about}, purged before`).toBeLessThanOrEqual(0);
      expect(isForEdge, `${about}, purged before`).toBe(false);
    }
  };

  const follow = (work: Promise<void>): void => {
    const followed = work.finally(() => pending.delete(followed));
    pending.add(followed);
    // Its failure is met where all are waited for.
    followed.catch(() => {});
    failures.push(followed);
  };
  const failures: Promise<void>[] = [];

  const ask = async (): Promise<void> => {
    const asked: Asked = {
      path: random.pick(PATHS),
      kind: random.pick(KINDS),
      user: random.pick(USERS),
      purgesBefore: purges.length,
      atMs: performance.now(),
    };
    const headers = {
      ...(asked.kind !== undefined && { 'x-kind': asked.kind }),
      ...(asked.user !== undefined && { cookie: asked.user }),
    };
    check(await random.pick(all).get(asked.path, headers), asked);
  };
  const purge = async (): Promise<void> => {
    const path = random.pick(PATHS);
    const hard = random.chance(0.5);
    const { cache } = random.pick(all).handler;
    const [what, isMeant] = random.pick([
      [{ path }, (other: string) => other === path],
      [{ prefix: path }, (other: string) => other.startsWith(path)],
      [{ tag: `tag${path}` }, (other: string) => other === path],
    ] as const);
    await cache.purge({ ...what, hard });
    purges.push({ isMeant, hard });
  };

  for (let step = 0; step < STEPS; step++) {
    const what = random.below(20);
    if (what < 12) follow(ask());
    else if (what < 14) follow(purge());
    else if (what < 16) advance(random.pick([0.5, 3, 9, 11, 35]));
    // A page that another process has stored is as old as the wall clock says at its receipt.
    else if (what < 17 && servers === 1) setClock(random.pick([-3600, -15, 15, 200]));
    else if (what < 18) mood = random.pick(MOODS);
    else while (pending.size > 0) await Promise.allSettled(pending);
    if (random.chance(0.5)) await turn();
  }
  await Promise.all(failures);
  await Promise.all(all.map(({ handler }) => handler.close()));
  return hits;
}

const MOODS = ['stored', 'stored', 'stored', 'private', 'cookie', 'silent'];

interface Asked {
  readonly path: string;
  readonly kind: string | undefined;
  readonly user: string | undefined;
  /** How many purges had ended before. */
  readonly purgesBefore: number;
  readonly atMs: number;
}

it.each([1, 2])(
  'random histories over %s servers: no foreign page, none purged or expired as fresh',
  async (servers) => {
    console.log(`NG_SSR_FUZZ_SEED=${seed}`);
    let hits = 0;
    for (let i = 0; !isLongEnough(i, RUNS, () => hits > RUNS && kept > 0); i++) {
      try {
        hits += await run(new Random(seed + i), servers, i);
      } catch (cause) {
        throw new Error(`history ${i} of NG_SSR_FUZZ_SEED=${seed}`, { cause });
      }
    }
    expect(hits).toBeGreaterThan(RUNS);
    expect(kept).toBeGreaterThan(0);
  },
  Math.max(60_000, RUNS * 2000),
);
