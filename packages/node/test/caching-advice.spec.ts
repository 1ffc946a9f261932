import { createNodeSsrServer, type RouteRule, type SsrError } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';

/** A server as under `ng serve`: without built files. */
async function develop(
  headers: Readonly<Record<string, string>>,
  routeRules: Readonly<Record<string, RouteRule>> = {},
  options: { readonly cache?: false; readonly errorDetails?: boolean } = {},
  page = '<!doctype html><p>page</p>',
) {
  const reported: SsrError[] = [];
  const ssr = createNodeSsrServer({
    engine: () =>
      new Response(page, {
        headers: { 'content-type': 'text/html', ...headers },
      }),
    allowedHosts: ['localhost'],
    routeRules,
    onError: (error) => reported.push(error),
    ...options,
  });
  const { port } = await ssr.listen({
    port: 0,
    host: 'localhost',
    announce: false,
    shutdown: false,
  });
  onTestFinished(() => ssr.close());
  const cacheStatus = async (path: string) => {
    const response = await fetch(`http://localhost:${port}${path}`);
    await response.arrayBuffer();
    return response.headers.get('cache-status');
  };
  return {
    cacheStatus,
    messages: () => reported.map(({ code, message }) => `${code}: ${message}`),
  };
}

test('in development a page says why a build would not cache it, and which rule would: once for a route', async () => {
  const { cacheStatus, messages } = await develop({});
  expect(await cacheStatus('/products/1')).toBe('ng-ssr; fwd=uri-miss; detail=no-freshness');
  expect(await cacheStatus('/products/2')).toBe('ng-ssr; fwd=uri-miss; detail=no-freshness');
  expect(messages()).toEqual([
    expect.stringMatching(
      /^NG_SSR_PAGE_NOT_CACHED: \/products\/\* would not be cached in production: the page has no lifetime.*add routeRules: \{ "\/products\/\*": \{ sMaxAge: 60 \} \}$/,
    ),
  ]);
});

test('the rule that it names is one that caches the page', async () => {
  const { cacheStatus, messages } = await develop({}, { '/products/*': { sMaxAge: 60 } });
  expect(await cacheStatus('/products/1')).toBe('ng-ssr; fwd=uri-miss');
  expect(messages()).toEqual([]);
});

test('a page that a build prerenders is not reported', async () => {
  const page = '<!doctype html><app-root ng-server-context="ssg"></app-root>';
  const { cacheStatus, messages } = await develop({}, {}, {}, page);
  expect(await cacheStatus('/')).toBe('ng-ssr; fwd=uri-miss');
  expect(messages()).toEqual([]);
});

test('a rule without sMaxAge is named', async () => {
  const { cacheStatus, messages } = await develop({}, { '/products/**': { tags: ['products'] } });
  await cacheStatus('/products/1');
  expect(messages()).toEqual([
    expect.stringContaining('add sMaxAge to routeRules["/products/**"]'),
  ]);
});

test('what no rule changes is reported without one, and what is intended is not', async () => {
  const cookies = await develop({ 'set-cookie': 'a=b' }, { '/a': { sMaxAge: 60 } });
  expect(await cookies.cacheStatus('/a')).toContain('detail=set-cookie');
  expect(cookies.messages()).toEqual([expect.stringMatching(/the page sets a cookie$/)]);
  const never = await develop({}, { '/a': { cache: false } });
  expect(await never.cacheStatus('/a')).toContain('detail=rule');
  const off = await develop({}, {}, { cache: false });
  expect(await off.cacheStatus('/a')).toBe('ng-ssr; fwd=uri-miss');
  const production = await develop({}, {}, { errorDetails: false });
  expect(await production.cacheStatus('/a')).toBe('ng-ssr; fwd=uri-miss');
  expect([...never.messages(), ...off.messages(), ...production.messages()]).toEqual([]);
});
