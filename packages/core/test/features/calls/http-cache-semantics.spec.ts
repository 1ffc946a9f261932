import { Random, seed } from '@ng-ssr/conformance/fuzz';
import CachePolicy from 'http-cache-semantics';
import { expect, it, vi } from 'vitest';
import { isLongEnough } from '../../../../conformance/test/is-long-enough.ts';
import type { CallRequest, CallResponse } from '../../../src/features/calls/call-request.ts';
import { provenanceOf } from '../../../src/features/calls/provenance.ts';
import { CallCache } from '../../../src/features/calls/cache/call-cache.ts';
import { resolveCallRule } from '../../../src/features/calls/rules/resolve-call-rule.ts';
import { parseHttpDate, toHttpDate } from '../../../src/http/http-date.ts';
import { type Spelling, SPELLINGS } from '../../pages/cache-control-spellings.ts';
import { advance, turn, useClock } from '../../pages/clock.ts';

useClock();

/** How many exchanges are compared at least; NG_SSR_FUZZ_REQUESTS makes it longer. */
const EXCHANGES = Number(process.env['NG_SSR_FUZZ_REQUESTS'] ?? 5_000);

type HeaderRecord = Readonly<Record<string, string>>;

/** Two or three equal GETs with time between them, and what the API answers to the first. */
interface Sample {
  readonly status: number;
  readonly headers: HeaderRecord;
  readonly cacheControl: readonly Spelling[];
  readonly first: HeaderRecord;
  readonly second: HeaderRecord;
  readonly seconds: number;
  /** Headers of a 304 to the second, and how long after it the third is sent. */
  readonly notModified: HeaderRecord;
  readonly secondsAfter: number;
}

/** A 304 says which response it is about (RFC 9110 section 15.4.5). */
function validatorsOf({ etag, 'last-modified': modified }: HeaderRecord): HeaderRecord {
  return { ...(etag && { etag }), ...(modified && { 'last-modified': modified }) };
}

const STATUSES = [
  ...[200, 200, 200, 200, 200, 203, 204, 300, 301, 302, 303, 307, 308, 404, 405, 410, 414],
  ...[400, 418, 500, 501, 503],
];

function randomSample(random: Random): Sample {
  const at = (seconds: number): string => toHttpDate(Date.now() + seconds * 1000);
  const headers: Record<string, string> = {};
  const header = (name: string, probability: number, values: readonly string[]): void => {
    if (random.chance(probability)) headers[name] = random.pick(values);
  };
  const some = (most: number): Spelling[] =>
    Array.from({ length: random.below(most + 1) }, () => random.pick(SPELLINGS));
  const cacheControl = random.chance(0.9) ? some(3) : [];
  if (cacheControl.length > 0) {
    headers['cache-control'] = cacheControl.map(({ spelt }) => spelt).join(', ');
  }
  header('date', 0.5, [at(0), at(-5), at(-45), 'yesterday']);
  header('expires', 0.3, [at(0), at(30), at(80), '0', 'never']);
  header('age', 0.3, ['0', '7', '50', '7x']);
  header('vary', 0.4, ['accept', 'Accept, Accept-Language', '*', 'a b', 'user-agent']);
  header('set-cookie', 0.05, ['user=ann']);
  header('content-range', 0.03, ['bytes 0-1/2']);
  header('etag', 0.4, ['"a"', 'W/"a"']);
  header('last-modified', 0.2, [at(-1_000_000)]);
  const request = (): HeaderRecord => ({
    ...(random.chance(0.3) && { accept: random.pick(['text/a', 'text/b']) }),
    ...(random.chance(0.2) && { 'accept-language': random.pick(['de', 'en']) }),
    ...(random.chance(0.2) && {
      'cache-control': random.pick([
        ...['no-cache', 'no-store', 'max-age=10', 'max-age=0', 'min-fresh=20'],
        ...['max-age=60, min-fresh=1', 'max-stale', 'max-stale=30'],
      ]),
    }),
    ...(random.chance(0.03) && { pragma: 'no-cache' }),
  });
  return {
    status: random.pick(STATUSES),
    headers,
    cacheControl,
    first: random.chance(0.8) ? {} : request(),
    second: random.chance(0.4) ? {} : request(),
    seconds: random.pick([0, 1, 9, 10, 29, 31, 45, 60, 61, 95, 130]),
    notModified: {
      ...validatorsOf(headers),
      date: at(0),
      age: random.pick(['0', '7']),
      'cache-control': random.pick([
        'max-age=10',
        'max-age=60',
        's-maxage=30, max-age=1',
        'no-store',
      ]),
    },
    secondsAfter: random.pick([0, 5, 11, 40, 70]),
  };
}

/** Where this cache means to do something else. */
const DIFFERENCES: readonly {
  readonly applies: (sample: Sample) => boolean;
  readonly reason: string;
}[] = [
  {
    applies: ({ status }) => [300, 303, 405, 414, 501].includes(status),
    reason:
      'These statuses are not stored, as those of pages (RFC 9111 section 3 leaves it to a cache).',
  },
  {
    applies: ({ headers }) => headers['set-cookie'] !== undefined,
    reason: 'A cookie is for one reader (RFC 9111 section 7.3).',
  },
  {
    applies: ({ headers }) => headers['vary'] === 'a b',
    reason: 'What is no name in Vary may stand for any.',
  },
  {
    applies: ({ headers }) => headers['content-range'] !== undefined,
    reason: 'Parts are not stored (RFC 9111 section 3.3).',
  },
  {
    applies: ({ second }) => second['cache-control']?.includes('max-stale') === true,
    reason:
      'max-stale is ignored: the rule and the API say how stale a response may be (section 5.2.1.2).',
  },
  {
    applies: ({ second }) =>
      second['pragma'] !== undefined && second['cache-control'] !== undefined,
    reason: 'Pragma says nothing beside Cache-Control (section 5.4).',
  },
  {
    applies: ({ headers, cacheControl }) =>
      headers['expires'] === undefined &&
      cacheControl.some(({ means }) => means.startsWith('stale-while-revalidate')) &&
      !cacheControl.some(({ means }) => /^(?:s-maxage|max-age)/.test(means)),
    reason: 'Without a lifetime a response is at most validated: there are no heuristics.',
  },
  {
    applies: ({ second }) => second['cache-control'] === 'no-store',
    reason: 'A call that must not be stored is sent as it is, without validators.',
  },
];

/** The response as http-cache-semantics is to read it: see the comparison for pages. */
function toOracle({ status, headers: stated, cacheControl }: Sample): CachePolicy.Response {
  const headers: Record<string, string> = { ...stated };
  const read = new Map<string, string>();
  for (const { spelt, means } of cacheControl.toReversed()) {
    const name = /^[\w-]+/.exec(spelt)![0].toLowerCase();
    if (means === '') read.delete(name);
    else read.set(name, means);
  }
  // It uses no response with must-revalidate at all, and finds one with proxy-revalidate stale at once.
  if (read.has('must-revalidate') || read.has('proxy-revalidate')) {
    read.delete('stale-while-revalidate');
    read.delete('must-revalidate');
    read.delete('proxy-revalidate');
  }
  // A response that must be validated is not used while it is.
  if (read.has('no-cache')) read.delete('stale-while-revalidate');
  headers['cache-control'] = [...read.values()].join(', ');
  const { date, expires } = headers;
  if (date !== undefined && parseHttpDate(date) === undefined) delete headers['date'];
  if (expires !== undefined && parseHttpDate(expires) === undefined) headers['expires'] = 'never';
  const age = /^(\d+)(?:,|$)/.exec((headers['age'] ?? '').trim())?.[1] ?? '0';
  const dateMs = parseHttpDate(headers['date'] ?? '') ?? Date.now();
  headers['age'] = String(Math.max(Number(age), (Date.now() - dateMs) / 1000, 0));
  return { status, headers };
}

const RULE = resolveCallRule('**', { cache: 'shared' });
const OPTIONS = { shared: true, cacheHeuristic: 0, immutableMinTimeToLive: 0 };

type Use = 'used' | 'used while refreshed' | 'validated' | 'sent';

/** What the exchanges must show, or they would compare nothing. The rarest are one or two of 1,000. */
const KINDS = [
  ...DIFFERENCES.map(({ reason }) => reason),
  ...['used', 'used while refreshed', 'validated', 'sent', 'then used'],
];

/** What http-cache-semantics would do with a request. */
function expectedUse(policy: CachePolicy, request: CachePolicy.Request): Use {
  if (!policy.storable()) return 'sent';
  const { response, revalidation } = policy.evaluateRequest(request);
  if (response !== undefined) return revalidation === undefined ? 'used' : 'used while refreshed';
  const headers = policy.revalidationHeaders(request);
  const isConditional = ['if-none-match', 'if-modified-since'].some((name) => name in headers);
  return isConditional ? 'validated' : 'sent';
}

it(
  `calls are answered as http-cache-semantics would, but for what is listed, seed ${seed}`,
  async () => {
    const random = new Random(seed);
    const sent: CallRequest[] = [];
    let answer: (call: CallRequest) => { status: number; headers: HeaderRecord };
    const cache = new CallCache({ maxBytes: 1e8, onError: () => {} }, (call) => {
      sent.push(call);
      const { status, headers: stated } = answer(call);
      const headers = new Headers(stated);
      return Promise.resolve<CallResponse>({
        ...{ status, statusText: '', headers, url: call.url.href, isRedirected: false },
        ...{ body: new Uint8Array(2), result: 'bypass' },
        provenance: provenanceOf(call, { status, headers }, performance.now()),
      });
    });
    let urls = 0;
    const call = async (url: string, headers: HeaderRecord): Promise<Use> => {
      const before = sent.length;
      const { result } = await cache.answer({
        ...{ method: 'GET', url: new URL(url), headers: new Headers(headers), body: null },
        ...{
          redirect: 'follow',
          cache: 'default',
          mode: 'cors',
          referrer: undefined,
          referrerPolicy: '',
          rule: RULE,
          page: 'GET /',
          forwarded: [],
        },
        ...{
          pageOrigin: 'http://page.example',
          chain: [],
          tags: [],
          render: {},
          isPersonal: false,
        },
        signal: new AbortController().signal,
      });
      await turn();
      if (result === 'stale') return 'used while refreshed';
      if (sent.length === before) return 'used';
      const asked = sent.at(-1)!.headers;
      const isConditional = asked.has('if-none-match') || asked.has('if-modified-since');
      return isConditional ? 'validated' : 'sent';
    };

    const counts = new Map<string, number>();
    const count = (name: string): void => void counts.set(name, (counts.get(name) ?? 0) + 1);
    const least = EXCHANGES / 2000;
    const hasSeenAll = (): boolean => KINDS.every((kind) => (counts.get(kind) ?? 0) > least);
    for (let i = 0; !isLongEnough(i, EXCHANGES, hasSeenAll); i++) {
      const sample = randomSample(random);
      const { status, headers: stated, first, second, seconds, notModified, secondsAfter } = sample;
      const difference = DIFFERENCES.find(({ applies }) => applies(sample));
      if (difference !== undefined) {
        count(difference.reason);
        continue;
      }
      const about = JSON.stringify(sample);
      const url = `http://api.example/${++urls}`;
      const toRequest = (headers: HeaderRecord): CachePolicy.Request => ({
        method: 'GET',
        url,
        headers: { ...headers },
      });
      answer = () => ({ status, headers: stated });
      const policy = new CachePolicy(toRequest(first), toOracle(sample), OPTIONS);
      await call(url, first);
      advance(seconds);

      answer = ({ headers }) =>
        headers.has('if-none-match') || headers.has('if-modified-since')
          ? { status: 304, headers: { ...notModified, date: toHttpDate(Date.now()) } }
          : { status: 200, headers: { 'cache-control': 'no-store' } };
      const expected = expectedUse(policy, toRequest(second));
      const use = await call(url, second);
      if (use !== expected) expect.fail(`${about} is ${use}, not ${expected}`);
      count(use);
      if (use !== 'validated') continue;

      const response = { status: 304, headers: { ...notModified } };
      const { policy: later, modified } = policy.revalidatedPolicy(toRequest(second), response);
      if (modified) continue;
      advance(secondsAfter);
      const expectedLater = expectedUse(later, toRequest(second));
      const useLater = await call(url, second);
      if (useLater !== expectedLater) {
        expect.fail(`${about}, validated, is then ${useLater}, not ${expectedLater}`);
      }
      count(`then ${useLater}`);
    }
    for (const kind of KINDS) expect(counts.get(kind), kind).toBeGreaterThan(least);
    expect(vi.isFakeTimers()).toBe(true);
  },
  Math.max(30_000, EXCHANGES * 5),
);
