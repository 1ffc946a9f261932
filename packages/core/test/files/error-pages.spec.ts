import { expect, test } from 'vitest';
import { type SsrError, type SsrOptions, withNonce } from '@ng-ssr/core';
import { type Answer, SsrHandler } from '@ng-ssr/core/adapter';
import { prerendered, writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';

const BROWSER = 'text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8';
const NOT_FOUND = prerendered('no such page '.repeat(200));
const BROKEN = prerendered('something broke '.repeat(200));

function create(options: Partial<SsrOptions> = {}, files: Record<string, string> = {}): SsrHandler {
  return new SsrHandler({
    engine: ({ url }) => {
      if (url.endsWith('/boom')) throw new Error('cracked');
      return url.endsWith('/hang') ? new Promise(() => undefined) : null;
    },
    allowedHosts: ['localhost'],
    errorDetails: false,
    onError: () => undefined,
    ...options,
    files: {
      folder: writeBuiltSite({
        'browser/index.html': prerendered('home'),
        'browser/404/index.html': NOT_FOUND,
        'browser/500.html': BROKEN,
        ...files,
      }),
      ...options.files,
    },
  });
}

/** What an adapter answers in the end. */
async function ask(
  handler: SsrHandler,
  target: string,
  headers: Readonly<Record<string, string>> = { accept: BROWSER },
  method = 'GET',
): Promise<Answer> {
  const exchange = plainExchange(target, headers, method);
  const answer = handler.answer(exchange) ?? (await handler.render(exchange));
  return answer ?? handler.notFound(exchange);
}

const textOf = ({ body }: Answer): string => Buffer.from(body ?? '').toString();

function headersOf({ headers }: Answer): Record<string, string> {
  const values: Record<string, string> = {};
  for (let i = 0; i < headers.length; i += 2) values[headers[i]!.toLowerCase()] = headers[i + 1]!;
  return values;
}

test("a path without a page gets the build's 404, with the headers of its file", async () => {
  const answer = await ask(create(), '/nothing');
  expect([answer.status, textOf(answer)]).toEqual([404, NOT_FOUND]);
  expect(headersOf(answer)).toEqual({
    'content-type': 'text/html; charset=utf-8',
    'content-length': String(NOT_FOUND.length),
    'cache-control': 'no-cache',
    vary: 'Accept-Encoding, Accept',
    etag: expect.stringMatching(/^"/),
    'last-modified': expect.any(String),
    'cache-status': 'ng-ssr; detail=NG_SSR_NOT_FOUND',
  });
});

test('RFC 9110 section 13.2.1: it is no 304, no 412 and has no parts', async () => {
  const handler = create();
  const { etag = '' } = headersOf(await ask(handler, '/nothing'));
  for (const headers of [
    { 'if-none-match': etag },
    { 'if-match': '"other"' },
    { range: 'bytes=0-9' },
  ]) {
    const answer = await ask(handler, '/nothing', { accept: BROWSER, ...headers });
    expect([answer.status, textOf(answer)]).toEqual([404, NOT_FOUND]);
  }
});

test.each(['/404', '/404/', '/404/index.html'])('%s itself is a 404', async (target) => {
  const answer = await ask(create(), target);
  expect([answer.status, textOf(answer)]).toEqual([404, NOT_FOUND]);
});

test('the page of a failure is a page at its own address', async () => {
  expect((await ask(create(), '/500.html')).status).toBe(200);
});

test.each([
  ['application/json', false],
  ['application/json, text/plain, */*', false],
  ['image/avif,image/webp,*/*;q=0.8', false],
  ['text/html;q=0, */*', false],
  ['*/*', true],
  ['Text/HTML;q=0.1, application/json', true],
])('whether Accept: %s gets a page', async (accept, isPage) => {
  for (const target of ['/nothing', '/boom']) {
    const type = headersOf(await ask(create(), target, { accept }))['content-type'];
    expect(type).toBe(isPage ? 'text/html; charset=utf-8' : 'text/plain; charset=utf-8');
  }
});

test('a failed render is answered with its error page, which no cache may store', async () => {
  const errors: SsrError[] = [];
  const handler = create({ onError: (error) => void errors.push(error) });
  const answer = await ask(handler, '/boom');
  expect([answer.status, textOf(answer)]).toEqual([500, BROKEN]);
  expect(answer.error).toBe(errors[0]);
  expect(headersOf(answer)).toMatchObject({
    'cache-control': 'no-store',
    'cache-status': 'ng-ssr; detail=NG_SSR_RENDER_FAILED',
  });
  expect(Object.keys(headersOf(answer))).not.toContain('etag');
  expect(Object.keys(headersOf(answer))).not.toContain('last-modified');
  const failed = handler.fail(plainExchange('/route'), new Error('cracked'));
  expect([failed.status, textOf(failed)]).toEqual([500, BROKEN]);
});

test('in development a failure shows its error', async () => {
  const answer = await ask(create({ errorDetails: true }), '/boom');
  expect(textOf(answer)).toContain('cracked');
});

const overloaded = { render: { maxWaitMs: 20 } };

test('a request without a page in time gets the CSR page first, then the page for failures', async () => {
  const answer = await ask(create(overloaded), '/hang');
  expect([answer.status, textOf(answer)]).toEqual([503, BROKEN]);
  expect(headersOf(answer)).toMatchObject({ 'cache-control': 'no-store', 'retry-after': '1' });

  const csrPage = '<!doctype html><app-root></app-root>';
  const withCsrPage = create(overloaded, { 'browser/index.csr.html': csrPage });
  expect(textOf(await ask(withCsrPage, '/hang'))).toBe(csrPage);
});

test('503 may have a page of its own', async () => {
  const handler = create(overloaded, { 'browser/503/index.html': 'busy' });
  expect(textOf(await ask(handler, '/hang'))).toBe('busy');
  expect(textOf(await ask(handler, '/boom'))).toBe(BROKEN);
});

test('pages may be named, or left out', async () => {
  const files = { 'browser/oops/index.html': prerendered('oops'), 'browser/404.html': 'file' };
  const named = create({ errorPages: { 404: '/oops' } }, files);
  expect(textOf(await ask(named, '/nothing'))).toBe(prerendered('oops'));
  expect((await ask(named, '/oops')).status).toBe(404);
  expect((await ask(named, '/404')).status).toBe(200);
  expect(textOf(await ask(named, '/boom'))).toBe(BROKEN);
  const without = create({ errorPages: false });
  expect(textOf(await ask(without, '/nothing'))).toBe('404 Not Found\n');
  expect(textOf(await ask(without, '/boom'))).toBe('500 Internal Server Error\n');
  expect((await ask(without, '/404')).status).toBe(200);
});

test('a page is found by its name below a base href too', async () => {
  const index = '<base href="/shop/">';
  const handler = create({}, { 'browser/index.csr.html': index });
  expect(textOf(await ask(handler, '/shop/nothing'))).toBe(NOT_FOUND);
  expect((await ask(handler, '/shop/404')).status).toBe(404);
});

test('each answer has a nonce of its own', async () => {
  const placeholder = 'bm9uY2UtaGVyZQ';
  const page = `<app-root ng-server-context="ssg" ngCspNonce="${placeholder}"></app-root>`;
  const features = [withNonce({ placeholder, policy: `script-src 'nonce-${placeholder}'` })];
  const handler = create({ features }, { 'browser/404/index.html': page });
  const nonces = new Set<string | undefined>();
  for (const target of ['/nothing', '/nothing', '/404']) {
    const answer = await ask(handler, target);
    expect(answer.status).toBe(404);
    const nonce = /ngCspNonce="([^"]+)"/.exec(textOf(answer))?.[1];
    const policy = headersOf(answer)['content-security-policy'];
    expect(policy).toBe(`script-src 'nonce-${nonce}'`);
    nonces.add(nonce);
  }
  expect(nonces.size).toBe(3);
  expect(nonces).not.toContain(placeholder);
});

test.each([
  [{ 404: '/oops' }, 'errorPages.404 is "/oops" (string); allowed: a page or file of the build'],
  [{ 500: '/' }, 'errorPages.500 is "/" (string); allowed: a page other than that of "/"'],
  [{ 500: 'oops' }, 'errorPages.500 is "oops" (string); allowed: a path that starts with "/"'],
  [
    { 400: '/404' },
    'there is no option errorPages.400. Did you mean errorPages.404? The options are 404',
  ],
  [true, 'errorPages is true (boolean); allowed: false or an object of paths by status'],
])('%j is refused', (errorPages, message) => {
  expect(() => create({ errorPages: errorPages as never })).toThrow(message);
});

test('a named page that is too large to be held is refused', () => {
  const options = { errorPages: { 404: '/404' }, files: { maxFileBytes: 100 } };
  expect(() => create(options)).toThrow('files.maxFileBytes');
});

// node:http drops the content of such an answer by itself; runtimes that take a Response need not.
test.each([
  ['/', 200],
  ['/nothing', 404],
  ['/boom', 500],
  ['/?x=%zz', 200],
  ['/%zz', 400],
])('HEAD %s has the headers of GET, and no content', async (target, status) => {
  const handler = create();
  const got = await ask(handler, target);
  const head = await ask(handler, target, { accept: BROWSER }, 'HEAD');
  expect(got.status).toBe(status);
  expect(got.body?.byteLength).toBeGreaterThan(0);
  expect(head).toEqual({ ...got, body: null });
});
