import { describe, expect, it } from 'vitest';
import {
  type PlainOptions,
  type Program,
  startProgram,
  toPath,
} from '../render-threads/program.ts';
import { type Api, startApi } from './api-server.ts';

interface Asked {
  readonly url: string;
  readonly init?: Pick<RequestInit, 'method' | 'body' | 'credentials'> & { headers?: object };
  readonly abortAfterMs?: number;
  /** A URL: the call aborts when that is answered. */
  readonly abortAfter?: string;
  readonly stalls?: true;
  readonly read?: 'text' | 'head' | 'bytes';
}

interface Result {
  readonly status?: number;
  readonly url?: string;
  readonly redirected?: boolean;
  readonly text?: string;
  readonly bytes?: number;
  readonly error?: {
    readonly name: string;
    readonly code?: string;
    readonly message: string;
    readonly cause?: string;
  };
}

/** Of calls that hang. */
const TIMEOUT_MS = 1000;
/** Of calls that are answered at once: on a busy machine that may take a while. */
const PATIENCE_MS = 20_000;

/** In this process, and in a render thread: calls are the same. */
describe.each([0, 1])('with %i render threads', (workers) => {
  const start = (
    api: Api,
    calls: PlainOptions['calls'] = {},
    render: PlainOptions['render'] = {},
  ): Promise<Program> =>
    startProgram(
      {
        renderThreads: { threads: workers },
        render,
        calls: {
          [`${api.origin}/**`]: { timeoutMs: TIMEOUT_MS, maxBytes: 1_000_000 },
          [`${api.garbage}/**`]: { timeoutMs: TIMEOUT_MS },
          [`${api.origin}/echo`]: { timeoutMs: PATIENCE_MS },
          [`${api.origin}/redirect`]: { timeoutMs: PATIENCE_MS },
          [`${api.origin}/nothing`]: { timeoutMs: PATIENCE_MS },
          ...calls,
        },
      },
      { file: toPath('caller.mjs') },
    );

  const ask = async ({ get }: Program, calls: Asked[], headers = {}): Promise<Result[]> => {
    const page = await get(`/page?calls=${encodeURIComponent(JSON.stringify(calls))}`, headers);
    expect(page.status).toBe(200);
    return (await page.json()) as Result[];
  };

  it('a call reaches the API as it was made', async () => {
    const api = await startApi();
    const program = await start(api);
    const [post, redirected, nothing, head] = await ask(program, [
      {
        url: `${api.origin}/echo?q=1#part`,
        init: { method: 'POST', headers: { 'x-own': 'a, b' }, body: '{"größe":1}' },
      },
      { url: `${api.origin}/redirect` },
      { url: `${api.origin}/nothing`, read: 'bytes' },
      { url: `${api.origin}/echo`, init: { method: 'head' } },
    ]);
    expect(post).toMatchObject({ status: 200, url: `${api.origin}/echo?q=1`, redirected: false });
    expect(JSON.parse(post!.text!)).toMatchObject({
      method: 'POST',
      content: '{"größe":1}',
      headers: { 'x-own': 'a, b', 'content-type': 'text/plain;charset=UTF-8' },
    });
    expect(redirected).toMatchObject({
      status: 200,
      url: `${api.origin}/echo?from=redirect`,
      redirected: true,
    });
    expect(nothing).toMatchObject({ status: 204, bytes: 0 });
    expect(head).toMatchObject({ status: 200, text: '' });
  });

  it('each way in which an API fails ends in an error that says so', async () => {
    const api = await startApi();
    const program = await start(api);
    const paths = ['hung', 'late?ms=5000', 'drip', 'reset', 'half', 'big', 'big?length'];
    const results = await ask(program, [
      ...paths.map((path) => ({ url: `${api.origin}/${path}` })),
      { url: `${api.garbage}/` },
      { url: `${api.closed}/` },
    ]);
    const timeout = 'NG_SSR_CALL_TIMEOUT';
    const failed = 'NG_SSR_CALL_FAILED';
    const tooLarge = 'NG_SSR_CALL_TOO_LARGE';
    expect(results.map(({ error }) => error?.code)).toEqual([
      ...[timeout, timeout, timeout],
      ...[failed, failed, tooLarge, tooLarge, failed, failed],
    ]);
    for (const { error } of results) {
      expect(error?.message).toMatch(
        /^GET http:\/\/127\.0\.0\.1:\d+\/.* called by GET \/page\?calls/,
      );
    }
    expect(results[0]!.error!.message).toContain(
      'took longer than 1000 ms (timeoutMs of its rule)',
    );
    expect(results[5]!.error!.message).toContain('more than 1000000 bytes (maxBytes of its rule)');
    // As that of fetch, without the error of its stream.
    expect(results[4]!.error!.cause).toBe('UND_ERR_SOCKET');
    // The API sees that its answers are not wanted any more.
    const abandoned = ['/hung', '/late?ms=5000', '/drip', '/big', '/big?length'];
    await expect.poll(() => api.abandoned).toEqual(expect.arrayContaining(abandoned));
    await expect.poll(() => program.calls.length).toBe(results.length);
    expect(program.calls.map(({ error }) => error).sort()).toEqual(
      results.map(({ error }) => error?.code).sort(),
    );
  });

  // Node's fetch refuses such a response, and then listens to its connection no more.
  it('a connection that breaks after too many encodings ends no server', async () => {
    const api = await startApi();
    const program = await start(api, { [`${api.origin}/encodings`]: { timeoutMs: PATIENCE_MS } });
    const [refused] = await ask(program, [{ url: `${api.origin}/encodings` }]);
    expect(refused!.error).toMatchObject({ code: 'NG_SSR_CALL_FAILED' });
    await expect
      .poll(() => program.errors.map(({ code }) => code), { timeout: PATIENCE_MS })
      .toContain('NG_SSR_ERROR_UNHANDLED');
    const [after] = await ask(program, [{ url: `${api.origin}/echo` }]);
    expect(after).toMatchObject({ status: 200 });
  });

  it('a call whose own content stalls ends with its time, and with its caller', async () => {
    const api = await startApi();
    const program = await start(api);
    const url = `${api.origin}/hung`;
    const calls: Asked[] = [
      { url, stalls: true },
      { url, stalls: true, abortAfterMs: 50 },
    ];
    const [timedOut, aborted] = await ask(program, calls);
    expect(timedOut!.error!.code).toBe('NG_SSR_CALL_TIMEOUT');
    expect(aborted!.error!.name).toBe('TimeoutError');
  });

  it('a caller that aborts gets its own reason, and the API sees it leave', async () => {
    const api = await startApi();
    const program = await start(api, {
      [`${api.origin}/hung`]: { timeoutMs: PATIENCE_MS },
      [`${api.origin}/received`]: { timeoutMs: PATIENCE_MS },
    });
    const results = await ask(program, [
      { url: `${api.origin}/hung`, abortAfter: `${api.origin}/received?path=/hung` },
      { url: `${api.origin}/echo`, abortAfterMs: 0 },
    ]);
    expect(results.map(({ error }) => error?.name)).toEqual(['AbortError', 'TimeoutError']);
    await expect.poll(() => api.abandoned).toContain('/hung');
    await expect.poll(() => program.calls.map(({ error }) => error)).toContain('aborted');
  });

  it('a call with the credentials of the visitor ends with its render, as does the relative URL of its page', async () => {
    const api = await startApi();
    const program = await start(api, { [`${api.origin}/**`]: { forward: ['cookie'] } });
    const target = new URLSearchParams({
      ...{ url: `${api.origin}/echo`, hung: `${api.origin}/hung`, after: '/echo' },
      credentials: 'include',
    });
    const page = await program.get(`/late?${target}`, { cookie: 'user=ann' });
    expect(await page.text()).toBe('early');
    await expect.poll(() => api.abandoned).toContain('/hung');
    const [inFlight, afterwards] = (await (await program.get('/kept')).json()) as Result[];
    expect(inFlight!.error).toMatchObject({ code: 'NG_SSR_CALL_ENDED' });
    expect(inFlight!.error!.message).toContain('was in flight when the render ended');
    expect(afterwards!.error).toMatchObject({ code: 'NG_SSR_CALL_ENDED' });
    expect(afterwards!.error!.message).toContain('was made after');
    expect(api.received.filter(({ url }) => url === '/echo')).toHaveLength(1);
  });

  it('a call without them goes on when its render has ended, and code of a module may make further ones', async () => {
    const api = await startApi();
    const program = await start(api, { [`${api.origin}/**`]: { forward: ['cookie'] } });
    const url = `${api.origin}/echo`;
    const target = new URLSearchParams({
      ...{ url, hung: `${api.origin}/held`, after: url, credentials: 'omit' },
    });
    const page = await program.get(`/late?${target}`, { cookie: 'user=ann' });
    expect(await page.text()).toBe('early');
    await expect.poll(() => api.received.map(({ url }) => url)).toContain('/held');
    // Its render has ended when another one is answered.
    await program.get(`/page?calls=[]`);
    api.release();
    const [inFlight, afterwards] = (await (await program.get('/kept')).json()) as Result[];
    expect(inFlight).toMatchObject({ status: 200, text: 'held' });
    expect(afterwards).toMatchObject({ status: 200 });
    expect(afterwards!.text).not.toContain('user=ann');
  });

  it('a call that no render waits for ends when a render would have timed out', async () => {
    const api = await startApi();
    const program = await start(api, { [`${api.origin}/**`]: {} }, { timeoutMs: 3000 });
    // The time of the first render includes loading the program.
    await ask(program, []);
    const url = `${api.origin}/echo`;
    const target = new URLSearchParams({ url, hung: `${api.origin}/hung`, after: url });
    expect(await (await program.get(`/late?${target}`)).text()).toBe('early');
    const [inFlight] = (await (await program.get('/kept')).json()) as Result[];
    expect(inFlight!.error).toMatchObject({ code: 'NG_SSR_CALL_TIMEOUT' });
    expect(inFlight!.error!.message).toContain('took longer than 3000 ms (render.timeoutMs)');
    await expect.poll(() => api.abandoned).toContain('/hung');
  });

  it('a failed GET is sent again as often as its rule says, a POST never', async () => {
    const api = await startApi();
    const program = await start(api, { [`${api.origin}/**`]: { retries: 2, timeoutMs: 5000 } });
    const [reset, status, exhausted, post] = await ask(program, [
      { url: `${api.origin}/fails-first?times=2&reset&a` },
      { url: `${api.origin}/fails-first?times=2&status=503` },
      { url: `${api.origin}/fails-first?times=9&status=502` },
      { url: `${api.origin}/fails-first?times=1&status=503&post`, init: { method: 'POST' } },
    ]);
    expect(reset).toMatchObject({ status: 200, text: 'end' });
    expect(status).toMatchObject({ status: 200, text: 'end' });
    expect(exhausted).toMatchObject({ status: 502 });
    expect(post).toMatchObject({ status: 503 });
    const tries = (part: string): number =>
      api.received.filter(({ url }) => url.includes(part)).length;
    expect([tries('&a'), tries('times=2&status'), tries('times=9'), tries('post')]).toEqual([
      ...[3, 3, 3, 1],
    ]);
  });

  it('limits the calls to an origin, and those that wait', async () => {
    const api = await startApi();
    const rule = { concurrency: 2, maxQueued: 3, timeoutMs: 2000 };
    const program = await start(api, { [`${api.origin}/**`]: rule });
    const url = `${api.origin}/late?ms=30`;
    const results = await ask(
      program,
      Array.from({ length: 7 }, () => ({ url })),
    );
    expect(api.most()).toBe(2);
    expect(results.filter(({ text }) => text === 'late')).toHaveLength(5);
    const refused = results.flatMap(({ error }) => error ?? []);
    expect(refused.map(({ code }) => code)).toEqual(Array(2).fill('NG_SSR_CALL_OVERLOADED'));
    expect(refused[0]!.message).toContain('a full queue of 3 calls');
    // The places of calls that were aborted, in the queue or in flight, are free again.
    const hung = { url: `${api.origin}/hung`, abortAfterMs: 500 };
    await ask(program, [hung, hung, hung, hung]);
    expect(await ask(program, [{ url }])).toMatchObject([{ text: 'late' }]);
  });

  it('forwards the headers of the rule, and none of another request', async () => {
    const api = await startApi();
    const rule = { forward: ['Cookie', 'accept-language'] };
    const program = await start(api, { [`${api.origin}/echo`]: rule });
    const own = { url: `${api.origin}/echo`, init: { headers: { cookie: 'own=1' } } };
    const credentials = 'include' as const;
    const asked: Asked[] = [
      { url: `${api.origin}/echo`, init: { credentials } },
      own,
      { url: `${api.origin}/echo/other`, init: { credentials } },
      { url: `${api.origin}/echo` },
      { url: `${api.origin}/echo`, init: { credentials: 'same-origin' } },
    ];
    const ofPage = { cookie: 'user=ann', 'accept-language': 'de', authorization: 'Basic YQ==' };
    const [ann, kept, other, ...silent] = (await ask(program, asked, ofPage)).map(
      ({ text }) => (JSON.parse(text!) as { headers: Record<string, string> }).headers,
    );
    expect(ann).toMatchObject({ cookie: 'user=ann', 'accept-language': 'de' });
    expect(ann).not.toHaveProperty('authorization');
    expect(kept).toMatchObject({ cookie: 'own=1', 'accept-language': 'de' });
    expect(other).not.toHaveProperty('cookie');
    // What tells nothing of the visitor needs not be asked for.
    for (const headers of silent) {
      expect(headers).toMatchObject({ 'accept-language': 'de' });
      expect(headers).not.toHaveProperty('cookie');
    }
    const [nobody] = await ask(program, [asked[0]!]);
    expect(JSON.parse(nobody!.text!)).not.toHaveProperty('headers.cookie');
  });
});
