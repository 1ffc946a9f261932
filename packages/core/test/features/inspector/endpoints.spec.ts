import { expect, it } from 'vitest';
import {
  currentRender,
  type InspectorPages,
  SsrError,
  unhandledErrors,
  withInspector,
} from '@ng-ssr/core';
import { html, storedServer } from '../../pages/stored-server.ts';
import { BEARER, inspectedServer, PATH, TOKEN } from './inspected-server.ts';

it('the state counts what the server has done, without the requests of the inspector', async () => {
  const server = inspectedServer((request, count) => {
    if (request.url.endsWith('/fails')) throw new Error('no page');
    return html(`render ${count}`, { 'cache-control': 's-maxage=60' });
  });
  await server.handler.ready();
  await server.get('/a');
  await server.get('/a');
  await server.get('/a');
  await server.get('/fails');
  await server.state();
  const state = await server.state();
  expect(state.requests).toMatchObject({ hit: 2, miss: 1, stale: 0 });
  expect(state.renders).toMatchObject({ ended: 2, failed: 1, queued: 0, inFlight: [] });
  expect(state.pages).toMatchObject({ count: 1 });
  expect(state.pages.bytes).toBeGreaterThan(0);
  expect(state.memory.rssBytes).toBeLessThanOrEqual(state.memory.limitBytes);
  expect(state.routes.map(({ route, renders }) => [route, renders]).sort()).toEqual([
    ['/a', 1],
    ['/fails', 1],
  ]);
  expect(state.versions.node).toBe(process.version);
  expect(state.slots).toEqual([]);
  await server.handler.close();
});

it('the state has what an engine reports of itself, and the page that it was reported with is stored', async () => {
  const errors: SsrError[] = [];
  const server = inspectedServer(
    () => {
      currentRender()!.notice(new SsrError('NG_SSR_FAST_LEFT', 'pages of /a take longer'));
      return html('a', { 'cache-control': 's-maxage=60' });
    },
    { onError: (error) => errors.push(error) },
  );
  await server.handler.ready();
  await server.get('/a');
  const state = await server.state();
  expect(state.notices).toEqual([
    { timeMs: expect.any(Number), code: 'NG_SSR_FAST_LEFT', message: 'pages of /a take longer' },
  ]);
  expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_FAST_LEFT']);
  expect(state.pages.count).toBe(1);
  await server.handler.close();
});

it('the state counts the errors that pages leave unhandled', async () => {
  const server = inspectedServer((request) => {
    unhandledErrors(request)!(new Error('of a template'));
    return html('a', {});
  });
  await server.handler.ready();
  await server.get('/a');
  expect((await server.state()).renders).toMatchObject({ ended: 1, failed: 0, pageErrors: 1 });
  await server.handler.close();
});

it('pages are found by path and by tag, in an order, and in parts', async () => {
  const server = inspectedServer((request) => {
    const { pathname } = new URL(request.url);
    return html(`page ${pathname}`.repeat(pathname.length), {
      'cache-control': 's-maxage=60',
      'cache-tag': pathname.startsWith('/shoe') ? 'shoes' : 'other',
    });
  });
  for (const path of ['/shoe-1', '/shoe-20', '/hat', '/shoe-300']) await server.get(path);
  await server.get('/hat');
  const ask = async (query: string): Promise<InspectorPages> =>
    JSON.parse((await server.inspect(`/pages?${query}`)).text) as InspectorPages;
  const pathsOf = async (query: string): Promise<string[]> =>
    (await ask(query)).pages.map(({ path }) => path);
  expect(await pathsOf('sort=path')).toEqual(['/hat', '/shoe-1', '/shoe-20', '/shoe-300']);
  expect(await pathsOf('sort=-bytes&limit=2')).toEqual(['/shoe-300', '/shoe-20']);
  expect(await pathsOf('sort=path&limit=2&offset=1')).toEqual(['/shoe-1', '/shoe-20']);
  expect(await pathsOf('sort=-hits&limit=1')).toEqual(['/hat']);
  expect((await pathsOf(''))[0]).toBe('/hat');
  expect(await ask('search=SHOE-3')).toMatchObject({ found: 1, pages: [{ path: '/shoe-300' }] });
  expect(await ask('search=none')).toEqual({ found: 0, pages: [] });
  for (const query of ['sort=size', 'limit=-1', 'limit=100000', 'offset=x']) {
    const answer = await server.inspect(`/pages?${query}`);
    expect([query, answer.status, answer.cache]).toEqual([
      query,
      400,
      'detail=NG_SSR_INSPECTOR_INVALID',
    ]);
  }
});

it('a purge counts, and its answer is that of the purge endpoint', async () => {
  const server = inspectedServer();
  await server.get('/a');
  const purge = { path: '/a', hard: true };
  const answer = await server.inspect('/purge', { method: 'POST', content: purge });
  expect([answer.status, JSON.parse(answer.text)]).toEqual([
    200,
    { purged: purge, here: 1, elsewhere: [] },
  ]);
  expect((await server.get('/a')).isHit).toBe(false);
  const junk = await server.inspect('/purge', { method: 'POST', content: { path: 'a' } });
  expect([junk.status, junk.cache]).toEqual([400, 'detail=NG_SSR_PURGE_INVALID']);
});

it.each([
  ['none', {}],
  ['an empty header', { authorization: '' }],
  ['another token', { authorization: 'Bearer another-token-of-enough' }],
  ['a part of it', { authorization: `Bearer ${TOKEN.slice(0, -1)}` }],
  ['another token in its own header', { 'ng-ssr-token': `${TOKEN}x` }],
  ['a header that comes twice', { 'ng-ssr-token': `${TOKEN}, ${TOKEN}` }],
  ['a cookie that is the token', { cookie: `ng-ssr-inspector=${TOKEN}` }],
])('RFC 6750: without the token the inspector answers 401 (%s)', async (_name, headers) => {
  const server = inspectedServer();
  for (const [part, method] of [
    ['/state', 'GET'],
    ['/pages', 'GET'],
    ['/purge', 'POST'],
  ] as const) {
    const answer = await server.inspect(part, { method, headers, content: { path: '/' } });
    expect([answer.status, answer.header('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(answer.header('cache-control')).toBe('no-store');
  }
  expect(server.requests).toEqual([]);
});

it('unknown parts are a 404, other methods a 405, and other paths are pages', async () => {
  const server = inspectedServer();
  for (const part of ['/', '/other', '/state/', '/state/x', '/%73tate']) {
    expect([part, (await server.inspect(part)).status]).toEqual([part, 404]);
  }
  expect((await server.inspect('/state', { method: 'POST' })).header('allow')).toBe('GET, HEAD');
  expect((await server.inspect('/purge')).header('allow')).toBe('POST');
  expect(server.requests).toEqual([]);
  expect((await server.inspect('-other')).status).toBe(200);
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['/state', 200, BEARER],
  ['/other', 404, BEARER],
  ['/state', 401, {}],
] as const)('HEAD %s with status %i has no content', async (part, status, headers) => {
  const server = inspectedServer();
  const head = await server.inspect(part, { method: 'HEAD', headers });
  expect([head.status, head.text]).toEqual([status, '']);
  expect((await server.inspect(part, { headers })).text).not.toBe('');
});

it('the inspector is found under a mount, and is for allowed hosts only', async () => {
  const server = inspectedServer();
  const { plainExchange } = await import('../../plain-exchange.ts');
  const exchange = {
    ...plainExchange(`/shop${PATH}/state`, BEARER),
    targetBelowMount: `${PATH}/state`,
  };
  expect((await server.ask(exchange)).status).toBe(200);
  const headers = { ...BEARER, host: 'evil.example' };
  expect((await server.inspect('/state', { headers })).status).toBe(400);
});

it('without the feature there is nothing', async () => {
  const server = storedServer(() => html('a page', {}));
  await server.get(`${PATH}/state`, BEARER);
  expect(server.requests).toHaveLength(1);
});

it.each([
  ['path', { path: 'inspector', token: TOKEN }, 'withInspector.path is "inspector"'],
  ['path with a query', { path: '/a?b', token: TOKEN }, 'withInspector.path is "/a?b"'],
  ['path with a slash', { path: '/a/', token: TOKEN }, 'withInspector.path is "/a/"'],
  [
    'short token',
    { path: PATH, token: 'secret' },
    'withInspector.token has 6 characters. Set it to a random string of at least 16 characters',
  ],
  [
    'no token',
    { path: PATH },
    'withInspector.token is missing. Set NG_SSR_TOKEN to a random string',
  ],
  [
    'another name',
    { path: PATH, token: TOKEN, user: 'me' },
    'there is no option withInspector.user',
  ],
  ['no object', 'on', 'withInspector is "on"'],
])('the option is checked: %s', (_name, inspector, message) => {
  const create = () => storedServer(() => null, { features: [withInspector(inspector as never)] });
  expect(create).toThrow(message);
  expect(create).not.toThrow('secret');
});
