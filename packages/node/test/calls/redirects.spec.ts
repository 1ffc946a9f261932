import type { IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { ask, type CallingPage, createCalledServer } from './called-server.ts';

interface Seen {
  readonly method: string | undefined;
  readonly url: string | undefined;
  readonly headers: readonly string[];
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
    const present = NAMES.filter((name) => name in headers);
    seen.push({ method, url: request.url, headers: present, content: await text(request) });
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
  [302, 'GET', ''],
  [307, 'POST', 'content'],
])('a POST that is redirected with %i becomes a %s', async (status, method, content) => {
  const { url, seen } = await start(async () => {
    const response = await fetch(`/api/${status}?to=/api/end%23there`, POST);
    return `${response.redirected} ${new URL(response.url).pathname} ${await response.text()}`;
  });
  const headers = { cookie: 'a=1' };
  expect(await ask(url, headers)).toEqual([200, 'true /api/end arrived']);
  const { headers: present, ...rest } = seen[1]!;
  expect(rest).toEqual({ method, url: '/api/end', content });
  expect(present).toEqual(NAMES.filter((name) => method === 'POST' || name !== 'content-type'));
});

test('the next call has the rule of its own URL, and no credentials for another origin', async () => {
  const { url, seen } = await start(async () => {
    const init: RequestInit = { credentials: 'include', headers: { authorization: 'a' } };
    await fetch('/api/302?to=/other/end', init);
    await fetch('/api/302?to=http://shop.example/api/end', init);
    return '';
  });
  await ask(url, { cookie: 'a=1' });
  expect(seen.map(({ headers }) => headers)).toEqual([
    ['authorization', 'cookie'],
    ['authorization'],
    ['authorization', 'cookie'],
    [],
  ]);
});
