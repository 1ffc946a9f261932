import CachePolicy from 'http-cache-semantics';
import { expect, it } from 'vitest';
import { parseHttpDate, toHttpDate } from '../../src/http/http-date.ts';
import type { CachedPage } from '../../src/pages/memory/cached-page.ts';
import { type Lifetime, mayStore } from '../../src/pages/policy/may-store.ts';
import { useOf } from '../../src/pages/policy/use-of.ts';
import {
  MALFORMED_TARGETED,
  type Spelling,
  SPELLINGS,
  TARGETED_SPELLINGS,
} from './cache-control-spellings.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';

/** How many responses are compared; NG_SSR_FUZZ_REQUESTS makes it longer. */
const RESPONSES = Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? 10_000);

/** Not the machine's time: no part of a verdict may come from its clock. */
const NOW = Date.UTC(2031, 4, 6, 7, 8, 9);

/** A response of the fuzz, and what its Cache-Control headers mean, directive by directive. */
interface Sample {
  readonly status: number;
  readonly hasAuthorization: boolean;
  readonly headers: Readonly<Record<string, string>>;
  readonly cacheControl: readonly Spelling[];
  /** Undefined where CDN-Cache-Control is absent or malformed. */
  readonly targeted: readonly Spelling[] | undefined;
}

const STATUSES = [
  ...[200, 200, 200, 203, 204, 206, 300, 301, 302, 303, 307, 308, 400, 404, 405, 410, 414, 418],
  ...[500, 501, 503],
];

function randomSample(random: Random): Sample {
  const some = (spellings: readonly Spelling[], most: number): Spelling[] =>
    Array.from({ length: random.below(most + 1) }, () => random.pick(spellings));
  const write = (spellings: readonly Spelling[]): string =>
    spellings.map(({ spelt }) => spelt).join(random.pick([',', ', ', ' ,\t']));

  const headers: Record<string, string> = {};
  const cacheControl = random.chance(0.9) ? some(SPELLINGS, 4) : [];
  if (cacheControl.length > 0) headers['cache-control'] = write(cacheControl);
  let targeted: Spelling[] | undefined;
  if (random.chance(0.15)) {
    targeted = [random.pick(TARGETED_SPELLINGS), ...some(TARGETED_SPELLINGS, 2)];
    headers['cdn-cache-control'] = write(targeted);
  } else if (random.chance(0.05)) {
    headers['cdn-cache-control'] = random.pick(MALFORMED_TARGETED);
  }

  const at = (seconds: number): string => toHttpDate(NOW + seconds * 1000);
  const header = (name: string, probability: number, values: readonly string[]): void => {
    if (random.chance(probability)) headers[name] = random.pick(values);
  };
  header('date', 0.5, [at(0), at(-5), at(-45), at(-5_000), at(20), 'yesterday', '0']);
  header('expires', 0.3, [
    at(0),
    at(30),
    at(80),
    at(-30),
    '0',
    '-1',
    'never',
    '2099-01-01T00:00:00Z',
  ]);
  header('age', 0.3, ['0', '7', '50', '7, 50', '-7', '7x', '7.5', '1e1', '0x10', '', 'old', ' 7']);
  header('vary', 0.2, ['accept', 'Accept, Cookie', '*', 'accept, *', 'a b', '']);
  header('set-cookie', 0.1, ['user=ann']);
  header('content-range', 0.03, ['bytes 0-1/2']);
  header('content-encoding', 0.03, ['gzip']);
  header('last-modified', 0.2, [at(-1_000_000)]);
  header('pragma', 0.1, ['no-cache']);
  return {
    status: random.pick(STATUSES),
    hasAuthorization: random.chance(0.2),
    headers,
    cacheControl,
    targeted,
  };
}

/** Directives that count for this cache, by name; of one that comes twice the one that counts. */
function directivesOf({ cacheControl, targeted }: Sample): ReadonlyMap<string, string> {
  const directives = new Map<string, string>();
  // RFC 9651 section 3.2: the last; RFC 9111 section 4.2.1: the first.
  const spellings = targeted ?? cacheControl.toReversed();
  for (const { spelt, means } of spellings) {
    const name = /^[\w-]+/.exec(spelt)![0].toLowerCase();
    if (means === '') directives.delete(name);
    else directives.set(name, means);
  }
  return directives;
}

/** What this cache never stores, though http-cache-semantics may. */
const NEVER_STORED: readonly {
  readonly applies: (sample: Sample, directives: ReadonlyMap<string, string>) => boolean;
  readonly reason: string;
}[] = [
  {
    applies: ({ status }) => [300, 303, 405, 414, 501].includes(status),
    reason: 'No engine makes pages of these statuses; RFC 9111 section 3 leaves it to a cache.',
  },
  {
    applies: ({ headers }) => headers['set-cookie'] !== undefined,
    reason: 'A cookie is for one reader, whatever Cache-Control says (RFC 9111 section 7.3).',
  },
  {
    applies: ({ headers }) =>
      (headers['vary'] ?? '').split(',').some((name) => ['*', 'a b'].includes(name.trim())),
    reason: 'RFC 9111 section 4.1: `*` matches no request; what is no name may stand for any.',
  },
  {
    applies: ({ headers }) => headers['content-range'] !== undefined,
    reason: 'Parts are not stored (RFC 9111 section 3.3).',
  },
  {
    applies: ({ headers }) => headers['content-encoding'] !== undefined,
    reason: 'The server makes encodings itself, of content as it is.',
  },
  {
    applies: (_sample, directives) => directives.has('no-cache'),
    reason: 'RFC 9111 section 5.2.2.4: it would have to be rendered for each request.',
  },
  {
    applies: ({ targeted, headers }, directives) =>
      !directives.has('s-maxage') &&
      !directives.has('max-age') &&
      (targeted !== undefined || headers['expires'] === undefined),
    reason: 'Private by default: without explicit freshness a page is stored for no reason at all.',
  },
];

/** The same response as http-cache-semantics is to read it: where it differs from the RFCs on purpose or not. */
function toOracle(sample: Sample, directives: ReadonlyMap<string, string>): CachePolicy.Response {
  const headers: Record<string, string> = { ...sample.headers };
  const read = new Map(directives);
  const isStaleForbidden = read.has('must-revalidate') || read.has('proxy-revalidate');
  // It makes pages with proxy-revalidate stale at once; RFC 9111 section 5.2.2.8 is about stale ones only.
  read.delete('proxy-revalidate');
  // It does not know that these forbid stale pages (RFC 9111 sections 5.2.2.2 and 5.2.2.8).
  if (isStaleForbidden) {
    read.delete('stale-while-revalidate');
    read.delete('stale-if-error');
  }
  headers['cache-control'] = [...read.values()].join(', ');
  // RFC 9213 section 2.2: with a targeted header Expires is ignored too.
  if (sample.targeted !== undefined) delete headers['expires'];
  // It takes every date that JavaScript does; RFC 9110 section 5.6.7 has three forms.
  const { date, expires } = headers;
  if (date !== undefined && parseHttpDate(date) === undefined) delete headers['date'];
  if (expires !== undefined && parseHttpDate(expires) === undefined) headers['expires'] = 'never';
  // RFC 9111 section 5.4: Pragma says nothing in a response.
  delete headers['pragma'];
  // It trusts Age alone; RFC 9111 section 4.2.3 counts the time since Date too, and section 5.1 reads one
  // whole number.
  const age = /^(\d+)(?:,|$)/.exec((headers['age'] ?? '').trim())?.[1] ?? '0';
  const dateMs = parseHttpDate(headers['date'] ?? '') ?? NOW;
  headers['age'] = String(Math.max(Number(age), (NOW - dateMs) / 1000, 0));
  return { status: sample.status, headers };
}

/** http-cache-semantics at a time of ours. */
class PolicyAt extends CachePolicy {
  nowMs: number | undefined;
  /** Its types leave it out, and `now`. */
  declare useStaleWhileRevalidate: () => boolean;

  now(): number {
    return this.nowMs ?? NOW;
  }
}

interface Verdict {
  readonly freshSeconds: number;
  readonly ageSeconds: number;
  /** How long a stored page can be used at all. */
  readonly usableSeconds: number;
}

function ownVerdict(lifetime: Lifetime): Verdict {
  const { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds } = lifetime;
  const ageSeconds = lifetime.initialAgeSeconds;
  const staleSeconds = Math.max(staleWhileRevalidateSeconds, staleIfErrorSeconds);
  return { freshSeconds, ageSeconds, usableSeconds: freshSeconds + staleSeconds - ageSeconds };
}

function toPolicy(sample: Sample, directives: ReadonlyMap<string, string>): PolicyAt {
  const headers = sample.hasAuthorization ? { authorization: 'Bearer x' } : {};
  // No heuristics (RFC 9111 section 4.2.2 allows them, and does not ask for them).
  const options = { shared: true, cacheHeuristic: 0, immutableMinTimeToLive: 0 };
  return new PolicyAt({ method: 'GET', headers }, toOracle(sample, directives), options);
}

/** Whether a page is fresh, or may be used while it is rendered again, at a given number of seconds after its receipt. */
function expectSameUse(
  policy: PolicyAt,
  lifetime: Lifetime,
  seconds: number,
  isStaleAllowed: boolean,
  about: string,
): void {
  const staleAtMs = (lifetime.freshSeconds - lifetime.initialAgeSeconds) * 1000;
  const use = useOf({ staleAtMs, page: lifetime } as unknown as CachedPage, seconds * 1000);
  policy.nowMs = NOW + seconds * 1000;
  const expected = !policy.stale()
    ? 'fresh'
    : isStaleAllowed && policy.useStaleWhileRevalidate()
      ? 'stale'
      : 'not';
  const actual = use === 'if-error' || use === 'expired' ? 'not' : use;
  if (actual !== expected) expect.fail(`${about} after ${seconds} s: ${use}, not ${expected}`);
}

it(
  `responses are stored as http-cache-semantics would, but for what is listed, seed ${seed}`,
  () => {
    const random = new Random(seed);
    const applied = new Map<string, number>();
    let stored = 0;
    let refused = 0;
    for (let i = 0; i < RESPONSES; i++) {
      const sample = randomSample(random);
      const { status, headers, hasAuthorization } = sample;
      const about = JSON.stringify({ status, hasAuthorization, headers });
      const directives = directivesOf(sample);
      const verdict = mayStore(
        { status, headers: new Headers(headers) },
        undefined,
        hasAuthorization,
        NOW,
      );

      const difference = NEVER_STORED.find(({ applies }) => applies(sample, directives));
      if (difference !== undefined) {
        applied.set(difference.reason, (applied.get(difference.reason) ?? 0) + 1);
        if (typeof verdict !== 'string') expect.fail(`${about} is stored: ${difference.reason}`);
        continue;
      }
      const policy = toPolicy(sample, directives);
      const usableSeconds = policy.timeToLive() / 1000;
      const isStorable = policy.storable() && usableSeconds > 0;
      if (typeof verdict === 'string') {
        refused++;
        if (isStorable) expect.fail(`${about} is not stored: ${verdict}`);
        continue;
      }
      stored++;
      if (!isStorable) expect.fail(`${about} is stored`);
      const expected = { freshSeconds: policy.maxAge(), ageSeconds: policy.age(), usableSeconds };
      const actual = ownVerdict(verdict);
      if (JSON.stringify(actual) !== JSON.stringify(expected)) {
        expect(actual, about).toEqual(expected);
      }
      for (let times = 3; times > 0; times--) {
        expectSameUse(policy, verdict, random.below(200), !verdict.isStaleForbidden, about);
      }
    }
    expect(stored).toBeGreaterThan(RESPONSES / 50);
    expect(refused).toBeGreaterThan(RESPONSES / 50);
    for (const { reason } of NEVER_STORED) expect(applied.get(reason), reason).toBeGreaterThan(0);
  },
  Math.max(30_000, RESPONSES),
);

it.each(SPELLINGS.filter(({ reason }) => reason !== undefined))(
  '$spelt is $means: $reason',
  ({ spelt, means }) => {
    const lifetimeOf = (cacheControl: string): unknown => {
      const headers = new Headers({ 'cache-control': cacheControl });
      return mayStore({ status: 200, headers }, undefined, false, NOW);
    };
    for (const other of ['s-maxage=50', 'max-age=50', 'stale-if-error=9', 'private']) {
      expect(lifetimeOf(`${spelt}, ${other}`)).toEqual(lifetimeOf(`${means}, ${other}`));
    }
  },
);
