import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ask, type CallingPage, createCalledServer } from './called-server.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly fields: readonly string[];
  readonly content: string;
}

const NAMES = ['authorization', 'cookie', 'content-type', 'x-own'];

/** A page with calls to `/api/<status>?to=<location>`, and what the routes have seen. */
async function start(page: CallingPage) {
  const seen: Seen[] = [];
  const made = createCalledServer({
    pages: { '/': page },
    calls: {
      '/api/**': { inProcess: true, forward: ['cookie'] },
      '/other/**': { inProcess: true },
      'http://shop.example/**': { inProcess: true, forward: ['cookie'] },
    },
  });
  made.server.use(async (request: IncomingMessage, response, next) => {
    const { method, headers } = request;
    const url = new URL(request.url!, 'http://localhost');
    const [, first, second] = url.pathname.split('/');
    if (first !== 'api' && first !== 'other') return next();
    const fields = NAMES.filter((name) => name in headers);
    seen.push({ method, url: request.url, fields, content: await text(request) });
    const to = url.searchParams.get('to');
    if (to === null) return response.end('arrived');
    return response.writeHead(Number(second), { location: to }).end('moved');
  });
  return { url: await made.listen(), seen };
}

const POST: RequestInit = {
  method: 'POST',
  credentials: 'include',
  body: 'content',
  headers: { 'content-type': 'text/x', authorization: 'a', 'x-own': '1' },
};

test.each([
  [301, 'GET', ''],
  [302, 'GET', ''],
  [303, 'GET', ''],
  [307, 'POST', 'content'],
  [308, 'POST', 'content'],
])('a POST that is redirected with %i becomes a %s', async (status, method, content) => {
  const { url, seen } = await start(async () => {
    const response = await fetch(`/api/${status}?to=/api/end%23there`, POST);
    return `${response.redirected} ${new URL(response.url).pathname} ${await response.text()}`;
  });
  const headers = { cookie: 'a=1' };
  expect(await ask(url, headers)).toEqual([200, 'true /api/end arrived']);
  const { fields, ...rest } = seen[1]!;
  expect(rest).toEqual({ method, url: '/api/end', content });
  expect(fields).toEqual(NAMES.filter((name) => method === 'POST' || name !== 'content-type'));
});

test('the next call has the rule of its own URL, and no credentials for another origin', async () => {
  const { url, seen } = await start(async () => {
    const init: RequestInit = { credentials: 'include', headers: { authorization: 'a' } };
    await fetch('/api/302?to=/other/end', init);
    await fetch('/api/302?to=http://shop.example/api/end', init);
    return '';
  });
  await ask(url, { cookie: 'a=1' });
  expect(seen.map(({ fields }) => fields)).toEqual([
    ['authorization', 'cookie'],
    ['authorization'],
    ['authorization', 'cookie'],
    [],
  ]);
});

test('redirect "manual" returns the redirect, "error" fails', async () => {
  const { url } = await start(async () => {
    const manual = await fetch('/api/302?to=/api/end', { redirect: 'manual' });
    const failed = fetch('/api/302?to=/api/end', { redirect: 'error' });
    const { code } = (await failed.catch((error: unknown) => error)) as { code: string };
    return `${manual.status} ${manual.headers.get('location')} ${code}`;
  });
  expect(await ask(url)).toEqual([200, '302 /api/end NG_SSR_CALL_FAILED']);
});

test.each([
  ['/api/302?to=http://%5B', 'was redirected to a malformed URL'],
  ['/api/302?to=ftp://localhost/', 'was redirected to a URL that cannot be called'],
  ['/api/302?to=http://u:p@localhost/', 'was redirected to a URL that cannot be called'],
])('%s fails', async (path, happened) => {
  const { url } = await start(async () => (await fetch(path)).text());
  const [status, content] = await ask(url);
  expect(status).toBe(502);
  expect(content).toContain(happened);
});

test('a stream cannot be redirected, and redirects end', async () => {
  let redirects = 0;
  const { url, seen } = await start(async () => {
    const body = new Blob(['content']).stream();
    const failures = [
      fetch('/api/307?to=/api/end', { method: 'POST', body, duplex: 'half' } as RequestInit),
      fetch('/api/302?to='),
    ];
    const settled = await Promise.allSettled(failures);
    redirects = seen.filter(({ url }) => url!.startsWith('/api/302')).length;
    return settled.map((each) => String((each as PromiseRejectedResult).reason)).join('\n');
  });
  const [, content] = await ask(url);
  expect(content).toMatch(/its content, a stream, cannot be sent again\n.*more than 20 times/);
  expect(redirects).toBe(21);
});
