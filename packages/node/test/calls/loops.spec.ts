import type { SsrError } from '@ng-ssr/core';
import { expect, test } from 'vitest';
import { ask, type CallingPage, createCalledServer } from './called-server.ts';

const IN_PROCESS = { '**': { inProcess: true } };
const SHARED = { '/**': { sMaxAge: 60 } };

/** Status, and the message of a loop, of a call. */
async function call(url: string): Promise<string> {
  const failure = fetch(url).then(
    async (response) => `${response.status} ${await response.text()}`,
  );
  return failure.catch(({ code, message }: SsrError) => `${code} ${message.split(': ')[1]}`);
}

interface Loop {
  readonly pages: Readonly<Record<string, CallingPage>>;
  readonly routeRules?: typeof SHARED;
  readonly concurrency?: number;
}

async function start({ pages, routeRules = {} as never, concurrency = 4 }: Loop) {
  const made = createCalledServer({ pages, calls: IN_PROCESS, routeRules, concurrency });
  // Routes that pass the answer of a page on.
  let url = '';
  made.server.router.get('/api/rewritten/:page', (request, response) => {
    request.url = request.url!.replace('/api/rewritten', '');
    made.server.router.lookup(request, response);
  });
  made.server.router.get('/api/fetched/:page', async (request, response) => {
    const { pathname } = new URL(request.url!, url);
    const page = await fetch(url + pathname.replace('/api/fetched', '')).catch(
      () => new Response('failed', { status: 502 }),
    );
    response.writeHead(page.status).end(await page.text());
  });
  url = await made.listen();
  return { ...made, url };
}

const settings = [{}, { routeRules: SHARED }, { concurrency: 1 }];

test.each(settings)('a page that calls itself ends at once: %j', async (setting) => {
  const { url } = await start({ ...setting, pages: { '/a': () => call('/a') } });
  expect(await ask(`${url}/a`)).toEqual([200, `NG_SSR_CALL_LOOP GET /a -> GET ${url}/a -> GET /a`]);
});

test.each(settings)('a page whose route asks for it ends at once: %j', async (setting) => {
  const { url, errors } = await start({
    ...setting,
    pages: { '/a': () => call('/api/rewritten/a') },
  });
  const loop = `GET /a -> GET ${url}/api/rewritten/a -> GET /a`;
  expect(await ask(`${url}/a`)).toEqual([200, `NG_SSR_CALL_LOOP ${loop}`]);
  expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_CALL_LOOP']);
});

test.each(settings)('a page whose route fetches it ends at once: %j', async (setting) => {
  const { url } = await start({ ...setting, pages: { '/a': () => call('/api/fetched/a') } });
  const loop = `GET /a -> GET ${url}/api/fetched/a -> GET /a`;
  expect(await ask(`${url}/a`)).toEqual([200, `NG_SSR_CALL_LOOP ${loop}`]);
});

test.each(settings)('pages that call each other end at once: %j', async (setting) => {
  // Both renders are in flight as they call each other, where there is a place for both.
  let bothBegin = (): void => undefined;
  const whenBoth = new Promise<void>((resolve) => (bothBegin = resolve));
  const begun = new Set<string>();
  const callWhenBoth = (own: string, other: string) => async (): Promise<string> => {
    if (begun.add(own).size === 2 || setting.concurrency === 1) bothBegin();
    await whenBoth;
    return call(other);
  };
  const pages = { '/a': callWhenBoth('/a', '/b'), '/b': callWhenBoth('/b', '/a') };
  const { url } = await start({ ...setting, pages });
  const expected = (first: string, second: string): string => {
    const targets = `GET ${first} -> GET ${url}${second} -> GET ${second} -> GET ${url}${first}`;
    return `200 NG_SSR_CALL_LOOP ${targets} -> GET ${first}`;
  };
  // Each would wait for the other's render, if a page that another one waits for joined it.
  const [a, b] = await Promise.all([ask(`${url}/a`), ask(`${url}/b`)]);
  expect(a[1]).toBe(expected('/a', '/b'));
  expect(b[1]).toBe(expected('/b', '/a'));
});

test.each(settings)('the page of another path is no loop: %j', async (setting) => {
  const pages = {
    '/a': () => call('/b'),
    '/b': () => call('/api/rewritten/c'),
    '/c': async () => 'c',
  };
  const { url, errors } = await start({ ...setting, pages });
  expect(await ask(`${url}/a`)).toEqual([200, '200 200 c']);
  expect(errors).toEqual([]);
});

test('a URL that is called twice, and a chain of more than eight calls, end', async () => {
  let most = 0;
  const pages: Record<string, CallingPage> = {
    '/a': () => call('/b?x'),
    '/b': () => call('/b?x'),
    '/n': ({ url }) => {
      const next = Number(new URL(url).searchParams.get('n')) + 1;
      most = Math.max(most, next);
      return call(`/n?n=${next}`);
    },
  };
  const { url } = await start({ pages });
  expect((await ask(`${url}/a`))[1]).toBe(
    `200 NG_SSR_CALL_LOOP GET /a -> GET ${url}/b?x -> GET /b?x -> GET ${url}/b?x`,
  );
  expect((await ask(`${url}/n?n=0`))[1]).toContain('NG_SSR_CALL_LOOP GET /n?n=0 -> ');
  expect(most).toBe(9);
});

test('a route of the same path with another type is no loop', async () => {
  const accept = { headers: { accept: 'application/json' } };
  const made = createCalledServer({
    pages: { '/a': async () => (await fetch('/a', accept)).text() },
    calls: IN_PROCESS,
  });
  made.server.use((request, response, next) => {
    if (request.headers.accept === 'application/json') response.end('[]');
    else next();
  });
  const url = await made.listen();
  expect(await ask(`${url}/a`, { accept: 'text/html' })).toEqual([200, '[]']);
});
