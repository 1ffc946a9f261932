import type { SlotOptions } from '@ng-ssr/core';
import type { RouteRequest, SsrHandler } from '@ng-ssr/core/adapter';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { slottedServer } from './slotted-server.ts';

const CALL: Readonly<Record<string, SlotOptions>> = { cart: { call: '/api/cart?full=yes' } };

type Routes = Parameters<SsrHandler['useRoutes']>[0];

/** A route whose response is a JSON text. */
const respond =
  (text: string, status = 200): Routes =>
  () => ({ status, statusText: '', headers: new Headers(), body: Buffer.from(text) });

test('a slot with a call has the response of that route to the same visitor', async () => {
  const asked: RouteRequest[] = [];
  const folder = writeBuiltSite({ 'browser/about/index.html': prerendered('about') });
  const server = slottedServer(CALL, { files: { folder } });
  server.handler.useRoutes((request) => {
    asked.push(request);
    return respond(JSON.stringify({ of: request.headers.get('cookie') }))(request);
  });
  for (const [target, cookie] of [
    ['/a', 'session=ann'],
    ['/a', 'session=bob'],
    ['/about', 'session=eve'],
  ] as const) {
    const page = await server.read(target, {
      ...{ cookie, authorization: 'Basic x', 'accept-language': 'de', 'user-agent': 'test' },
      ...{ accept: 'text/html', 'if-none-match': '*', 'sec-fetch-dest': 'document' },
    });
    expect(page.slots).toEqual({ cart: { of: cookie } });
    expect(page.isPersonal).toBe(true);
  }
  expect(server.requests).toHaveLength(1);
  const { method, url, headers, body } = asked[0]!;
  expect([method, url.href, body]).toEqual(['GET', 'http://localhost/api/cart?full=yes', null]);
  expect(Object.fromEntries(headers)).toEqual({
    ...{ accept: 'application/json', host: 'localhost', cookie: 'session=ann' },
    ...{ authorization: 'Basic x', 'accept-language': 'de', 'user-agent': 'test' },
  });
  expect(server.errors).toEqual([]);
});

test.each([
  ['{"of":"ann"}', 403, 'GET /api/cart?full=yes has status 403; allowed: 200'],
  ['', 204, 'GET /api/cart?full=yes has status 204; allowed: 200'],
  ['<html>', 200, 'is not valid JSON'],
])('a response %j with status %i is no data', async (text, status, message) => {
  const server = slottedServer(CALL);
  server.handler.useRoutes(respond(text, status));
  const { slots, text: page } = await server.read('/a');
  expect(slots).toEqual({});
  expect(page).toContain('data-ng-ssr-slot="cart">\n</script>');
  expect(server.errors).toHaveLength(1);
  expect(server.errors[0]).toMatchObject({
    code: 'NG_SSR_SLOT_FAILED',
    cause: { message: expect.stringContaining(message) as string },
  });
});

test('a server without routes says what it needs', async () => {
  const server = slottedServer(CALL);
  expect((await server.read('/a')).slots).toEqual({});
  expect(server.errors[0]).toMatchObject({
    cause: {
      code: 'NG_SSR_OPTION_INVALID',
      message: expect.stringContaining('option routes') as string,
    },
  });
});

test.each([
  ['its own path', (target: string) => target],
  ['a path that middleware gives it', () => '/cart'],
])(
  'a page in place of the route has no slots, at %s: it would call itself',
  async (_name, rewrite) => {
    const server = slottedServer(CALL);
    let calls = 0;
    server.handler.useRoutes(async ({ url, headers }) => {
      if (++calls > 9) throw new Error('a call in a call');
      const given = Object.fromEntries(headers);
      const { text, status } = await server.read(rewrite(url.pathname + url.search), given);
      return respond(text, status)({} as RouteRequest);
    });
    expect((await server.read('/a')).slots).toEqual({});
    expect(calls).toBe(1);
  },
);

test('fill takes the place of the route', async () => {
  const server = slottedServer({
    cart: { call: 'https://api.example/cart', fill: () => ({ count: 2 }) },
  });
  expect((await server.read('/a')).slots).toEqual({ cart: { count: 2 } });
});

test('documents say which calls come in which slots, as URLs', async () => {
  const folder = writeBuiltSite({
    'browser/about/index.html': prerendered('about'),
  });
  const slots = {
    cart: { call: '/api/cärt?a="1"&b=<2>' },
    user: { call: 'https://API.example:443/user', fill: () => 1 },
    other: { fill: () => 1 },
  };
  const { text } = await slottedServer(slots, { files: { folder } }).read('/about', {});
  expect(text).toContain(
    '<html><meta name="ng-ssr-late-calls" content="cart /api/c%C3%A4rt?a=%221%22&amp;b=%3C2%3E user https://api.example/user">',
  );
});

test('ng build, which renders without a built server, finds the calls in the process', () => {
  const name = Symbol.for('ng-ssr.late-calls') as never;
  onTestFinished(() => void Reflect.deleteProperty(globalThis, name));
  slottedServer(CALL);
  expect(globalThis[name]).toBeUndefined();
  slottedServer(CALL, { files: { folder: undefined } });
  expect(globalThis[name]).toBe('cart /api/cart?full=yes');
});

test.each([
  [{ call: 'api/cart' }, 'withSlots["cart"].call'],
  [{ call: '//api.example/cart' }, 'withSlots["cart"].call'],
  [{ call: '/\\api.example/cart' }, 'withSlots["cart"].call'],
  [{ call: '/api/cart#top' }, 'withSlots["cart"].call'],
  [{ call: '/api/my cart' }, 'withSlots["cart"].call'],
  [{ call: 'ftp://api.example/cart' }, 'withSlots["cart"].call'],
  [{ call: 1 }, 'withSlots["cart"].call'],
  [{ call: 'https://api.example/cart' }, 'withSlots["cart"].fill is missing'],
  [{}, 'withSlots["cart"].fill is missing'],
])('%j is refused', (cart, message) => {
  expect(() => slottedServer({ cart } as never)).toThrow(
    expect.objectContaining({
      code: 'NG_SSR_OPTION_INVALID',
      message: expect.stringContaining(message) as string,
    }) as Error,
  );
});

test('two slots with one call are refused: the browser would look in the second one only', () => {
  const slots = { cart: { call: '/api/a?b=c' }, other: { call: '/api/./a?b=c', fill: () => 1 } };
  expect(() => slottedServer(slots)).toThrow(
    /withSlots\["other"\]\.call is .*; allowed: a URL that is not the call of another slot/,
  );
});
