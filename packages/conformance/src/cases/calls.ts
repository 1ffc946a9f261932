import { expect } from 'vitest';
import type { CaseContext } from '../case-context.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody } from '../expectations.ts';
import { DELIBERATE_404, FORM_ANSWER } from '../fixture-effects.ts';

/** A call, as the page that has made it states it. */
interface Called {
  readonly status: number;
  readonly redirected: boolean;
  readonly path: string;
  readonly headers: readonly (readonly [string, string])[];
  readonly cookies: readonly string[];
  readonly content: string;
}

/** Calls of pages to the server's own routes (`withCalls` with `inProcess`). */
export const calls = caseFile('calls', (add) => {
  const traits = { profile: 'calls', parity: false } as const;
  const made = async <Made = Called>(
    { get }: CaseContext,
    path: string,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Made> => {
    const response = await get(path, headers);
    expect(response.status).toBe(200);
    return JSON.parse(decodedBody(response).toString()) as Made;
  };
  const check = (
    sentence: string,
    path: string,
    expected: Partial<Called> | { error: string } | number,
  ): void => {
    add(
      sentence,
      async (t) => {
        const called = await made<unknown>(t, path);
        if (typeof expected === 'object') expect(called).toMatchObject(expected);
        else expect(called).toBe(expected);
      },
      traits,
    );
  };

  add(
    'a route answers',
    async (t) => {
      const { status, path, redirected, content } = await made(t, '/calls/route');
      expect([status, path, redirected]).toEqual([200, '/api/time?zone=utc', false]);
      expect(JSON.parse(content)).toEqual({ now: expect.any(Number) });
      expect(t.engine.renders('/api/time')).toBe(0);
      expect(t.errors).toEqual([]);
    },
    traits,
  );
  add(
    'a call passes the middleware, with the headers that its rule forwards',
    async (t) => {
      const effects = { headers: [['x-request-id', 'fixture-1']], cookies: ['seen=1'] };
      const passed = await made(t, '/calls/route', { 'x-fixture': 'on' });
      expect(passed).toMatchObject({ status: 200, cookies: effects.cookies });
      expect(passed.headers).toEqual(expect.arrayContaining(effects.headers));
      const plain = await made(t, '/calls/route');
      expect(plain).toMatchObject({ status: 200, cookies: [], headers: [] });
    },
    traits,
  );
  add(
    'the page of another path sees the own headers of the call, and what its rule forwards if it asks for credentials',
    async (t) => {
      const sent = { cookie: 'who=ada', 'x-foreign': '1', accept: 'text/x-page' };
      const { content } = await made(t, '/calls/page', sent);
      const { headers, url } = JSON.parse(content) as {
        readonly headers: Readonly<Record<string, string>>;
        readonly url: string;
      };
      expect(new URL(url).pathname).toBe('/echo');
      expect(headers).toMatchObject({ cookie: 'who=ada', 'x-own': '1', host: new URL(url).host });
      expect(Object.keys(headers)).not.toContain('x-foreign');
      expect(headers['accept']).not.toBe('text/x-page');
      const { content: bare } = await made(t, '/calls/page');
      expect(Object.keys((JSON.parse(bare) as typeof headers)['headers']!)).not.toContain('cookie');
      const { content: silent } = await made(t, '/calls/silent', sent);
      expect(Object.keys((JSON.parse(silent) as typeof headers)['headers']!)).not.toContain(
        'cookie',
      );
    },
    traits,
  );

  const missing = { status: 404, path: '/api/missing', content: DELIBERATE_404 };
  check('a relative URL is resolved', '/calls/relative', missing);
  check('an absolute URL of the own origin reaches the routes', '/calls/absolute', missing);
  check('a route gets content', '/calls/echo', { status: 200, content: 'ä'.repeat(50_000) });
  check('a route gets a stream', '/calls/stream', { status: 200, content: 'one,two,three' });
  check('a route gets a form', '/calls/form', { status: 200, content: FORM_ANSWER });
  check('HEAD has no content', '/calls/head', { status: 200, content: '' });
  check('a 204 has no content', '/calls/empty', { status: 204, content: '' });
  check('an unknown path is a 404', '/calls/nothing', { status: 404, path: '/api/nothing' });
  check('a built file is one', '/calls/file', { status: 200, path: '/robots.txt' });
  check('a redirect is followed', '/calls/redirect', {
    ...{ status: 200, redirected: true, path: '/about' },
  });
  check('redirect: "manual" gives the redirect', '/calls/manual', {
    ...{ status: 302, redirected: false, headers: [['location', '/about']] as const },
  });
  check('redirect: "error" fails', '/calls/error', { error: 'NG_SSR_CALL_FAILED' });
  check("a failing page is the server's own 500", '/calls/boom', 500);
  check('a call ends with its abort', '/calls/abort', { error: 'AbortError' });
  check('a page that calls itself ends at once', '/calls/loop', { error: 'NG_SSR_CALL_LOOP' });
  check('pages that call each other end at once', '/calls/loop/first', {
    ...{ status: 200, content: JSON.stringify({ error: 'NG_SSR_CALL_LOOP' }) },
  });
});
