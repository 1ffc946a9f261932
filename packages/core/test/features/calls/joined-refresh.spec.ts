import { expect, it } from 'vitest';
import type { CallRequest, CallResponse } from '../../../src/features/calls/call-request.ts';
import { CallCache } from '../../../src/features/calls/cache/call-cache.ts';
import { resolveCallRule } from '../../../src/features/calls/rules/resolve-call-rule.ts';
import { INDEPENDENT } from '../../../src/render/provenance.ts';
import { SsrError } from '../../../src/errors.ts';
import { advance, until, useClock } from '../../pages/clock.ts';

useClock();

const RULE = resolveCallRule('**', {
  cache: { sMaxAge: 0, staleWhileRevalidate: 10, staleIfError: 100 },
  timeoutMs: 60_000,
});

/** A call whose caller leaves with this signal. */
function get(signal: AbortSignal): CallRequest {
  return {
    ...{ method: 'GET', url: new URL('http://api.example/'), headers: new Headers(), body: null },
    ...{
      redirect: 'follow',
      cache: 'default',
      mode: 'cors',
      referrer: undefined,
      referrerPolicy: '',
      rule: RULE,
      page: 'GET /',
      forwarded: [],
      signal,
    },
    ...{ pageOrigin: 'http://page.example', chain: [], tags: [], render: {}, isPersonal: false },
  };
}

function respond(status: number, text: string, isShareable = true): CallResponse {
  return {
    ...{ status, statusText: '', headers: new Headers(), url: 'http://api.example/' },
    ...{ body: new TextEncoder().encode(text), isRedirected: false, result: 'bypass' },
    provenance: { ...INDEPENDENT, isShareable },
  };
}

/** A call that the API has not answered yet. */
interface Sent {
  readonly resolve: (response: CallResponse) => void;
  readonly reject: (error: SsrError) => void;
}

const ENDS: Record<string, (end: Sent, left: AbortController) => void> = {
  fails: ({ reject }) => reject(new SsrError('NG_SSR_CALL_FAILED', 'lost')),
  'ends with 503': ({ resolve }) => resolve(respond(503, 'away')),
  "outlasts the caller's time": (_end, left) =>
    left.abort(new SsrError('NG_SSR_CALL_TIMEOUT', 'late')),
};

it.each(Object.keys(ENDS))(
  'a caller with the right to a stale response that joins a refresh gets it if the refresh %s',
  async (name) => {
    const ends: Sent[] = [];
    const cache = new CallCache(
      { maxBytes: 1e6, onError: () => {} },
      () => new Promise((resolve, reject) => ends.push({ resolve, reject })),
    );
    const textOf = async (answered: Promise<CallResponse>): Promise<string> =>
      new TextDecoder().decode((await answered).body as Uint8Array);
    const left = new AbortController();

    const first = cache.answer(get(left.signal));
    ends[0]!.resolve(respond(200, 'old'));
    expect(await textOf(first)).toBe('old');
    advance(5);
    expect(await textOf(cache.answer(get(left.signal)))).toBe('old');
    expect(ends.length).toBe(2);
    // Now the stale response is for failures only, and the refresh is still in flight.
    advance(20);
    const joined = cache.answer(get(left.signal));
    expect(ends.length).toBe(2);
    ENDS[name]!(ends[1]!, left);
    expect(await textOf(joined)).toBe('old');
  },
);

it('callers that join a refresh send calls of their own if its response is for one client', async () => {
  const ends: Sent[] = [];
  const cache = new CallCache(
    { maxBytes: 1e6, onError: () => {} },
    () => new Promise((resolve, reject) => ends.push({ resolve, reject })),
  );
  const textOf = async (answered: Promise<CallResponse>): Promise<string> =>
    new TextDecoder().decode((await answered).body as Uint8Array);
  const { signal } = new AbortController();
  const first = cache.answer(get(signal));
  ends[0]!.resolve(respond(200, 'old'));
  await first;
  advance(5);
  await cache.answer(get(signal));
  advance(20);
  const joined = [1, 2].map(() => textOf(cache.answer(get(signal))));
  expect(ends.length).toBe(2);
  ends[1]!.resolve(respond(200, "nobody's", false));
  await until(() => ends.length === 4);
  ends[2]!.resolve(respond(200, 'one', false));
  ends[3]!.resolve(respond(200, 'two', false));
  expect(await Promise.all(joined)).toEqual(['one', 'two']);
});
