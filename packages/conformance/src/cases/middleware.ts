import { expect } from 'vitest';
import { headerLines, headerOf, type ClientResponse } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, expectWhole, listMembers, strongTag } from '../expectations.ts';
import { stubPage } from '../stub-pages.ts';

const ON = { 'x-fixture': 'on' };

function expectFixtureHeaders(response: ClientResponse): void {
  expect(headerLines(response, 'x-request-id')).toEqual(['fixture-1']);
  expect(headerLines(response, 'content-security-policy')).toEqual(["default-src 'self'"]);
  expect(headerLines(response, 'set-cookie')).toContain('seen=1');
}

/** Headers that the user's earlier middleware sets are kept, and its answers are sent. */
export const middleware = caseFile('middleware', (add) => {
  const afterMiddleware = { afterMiddleware: true };
  const held = {
    'a page': '/about',
    'a file': '/main-ABCDEFG2.js',
    'a page with headers of its route': '/guide',
  };
  for (const [label, target] of Object.entries(held)) {
    add(
      `its headers are on ${label}`,
      async ({ get }) => {
        const response = await get(target, ON);
        expect(response.status).toBe(200);
        expectFixtureHeaders(response);
        const varies = listMembers(response, 'vary');
        expect(varies.sort()).toEqual(['accept-encoding', 'origin']);
        expect(headerOf(response, 'cache-status')).toMatch(/^ng-ssr; hit\b/);
      },
      afterMiddleware,
    );

    add(
      `its headers are on a 304 of ${label}`,
      async ({ get }) => {
        const tag = strongTag(await get(target, ON));
        const response = await get(target, { ...ON, 'if-none-match': tag });
        expect(response.status).toBe(304);
        expectFixtureHeaders(response);
        expect(listMembers(response, 'vary').sort()).toEqual(['accept-encoding', 'origin']);
      },
      afterMiddleware,
    );
  }

  add(
    'its headers do not stay for the next request',
    async ({ get }) => {
      for (const target of ['/about', '/main-ABCDEFG2.js', '/rendered']) {
        expectFixtureHeaders(await get(target, ON));
        const response = await get(target);
        for (const name of ['x-request-id', 'set-cookie', 'content-security-policy']) {
          expect(headerOf(response, name)).toBeUndefined();
        }
        expect(listMembers(response, 'vary')).not.toContain('origin');
      }
    },
    afterMiddleware,
  );

  add('its headers are on a rendered page', async ({ get }) => {
    const response = await get('/rendered', ON);
    expect(response.status).toBe(200);
    expectFixtureHeaders(response);
    expect(listMembers(response, 'vary')).toContain('origin');
  });

  add(
    'its headers are on a 405 and a failed render',
    async ({ get, request }) => {
      const refused = await request({ method: 'POST', target: '/about', headers: ON, body: 'x' });
      expect(refused.status).toBe(405);
      expect(headerOf(refused, 'x-request-id')).toBe('fixture-1');
      const failed = await get('/boom', ON);
      expect(failed.status).toBe(500);
      expect(headerOf(failed, 'x-request-id')).toBe('fixture-1');
    },
    afterMiddleware,
  );

  add(
    'its headers are on a large file',
    async ({ get }) => {
      expectFixtureHeaders(await get('/assets/prices.csv', ON));
    },
    { afterMiddleware: true, parity: false },
  );

  add(
    'its headers are on a part',
    async ({ get }) => {
      const response = await get('/about', { ...ON, range: 'bytes=0-9' });
      expect(response.status).toBe(206);
      expectFixtureHeaders(response);
    },
    afterMiddleware,
  );

  add(
    'HEAD has its headers too',
    async ({ request }) => {
      expectFixtureHeaders(await request({ method: 'HEAD', target: '/about', headers: ON }));
    },
    afterMiddleware,
  );

  for (const target of ['/about', '/main-ABCDEFG2.js', '/rendered']) {
    add(
      `its refusal of ${target} is the answer`,
      async ({ get, engine }) => {
        const response = await get(target, { 'x-fixture': 'deny', 'if-none-match': '*' });
        expect(response.status).toBe(401);
        expect(response.body.toString()).toBe('denied');
        expect(engine.renders()).toBe(0);
      },
      { afterMiddleware: true, parity: false },
    );
  }

  add(
    "the status it chose is the page's",
    async ({ get, site }) => {
      const headers = { 'x-fixture': 'unavailable' };
      const bytes = site.read('about/index.html');
      const tag = strongTag(await get('/about'));
      for (const extra of [
        {},
        { 'if-none-match': tag },
        { 'if-none-match': '*' },
        { range: 'bytes=0-9' },
      ]) {
        const response = await get('/about', { ...headers, ...extra });
        expect(response.status).toBe(503);
        expect(decodedBody(response).equals(bytes)).toBe(true);
        expect(headerOf(response, 'content-range')).toBeUndefined();
      }
    },
    afterMiddleware,
  );

  add(
    "the status it chose is the page's in every encoding",
    async ({ get, site }) => {
      const headers = { 'x-fixture': 'unavailable', 'accept-encoding': 'br' };
      const response = await get('/', headers);
      expect(response.status).toBe(503);
      expect(decodedBody(response).equals(site.read('index.html'))).toBe(true);
      expect((await get('/', { 'accept-encoding': 'br' })).status).toBe(200);
    },
    afterMiddleware,
  );

  add('the page still arrives whole after all of them', async ({ get, site }) => {
    expectWhole(await get('/about'), site.read('about/index.html'));
    expect(decodedBody(await get('/rendered')).toString()).toBe(stubPage('Rendered'));
  });
});
