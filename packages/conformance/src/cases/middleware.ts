import { expect } from 'vitest';
import { fieldLines, fieldOf, type ClientResponse } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, expectWhole, listMembers, strongTag } from '../expectations.ts';
import { stubPage } from '../stub-pages.ts';

const ON = { 'x-fixture': 'on' };

function expectFixtureFields(response: ClientResponse): void {
  expect(fieldLines(response, 'x-request-id')).toEqual(['fixture-1']);
  expect(fieldLines(response, 'content-security-policy')).toEqual(["default-src 'self'"]);
  expect(fieldLines(response, 'set-cookie')).toContain('seen=1');
}

/** Fields that the user's earlier middleware sets are kept, and its answers are sent. */
export const middleware = caseFile('middleware', (add) => {
  const afterMiddleware = { afterMiddleware: true };
  const held = {
    'a page': '/about',
    'a file': '/main-ABCDEFG2.js',
    'a page with headers of its route': '/guide',
  };
  for (const [label, target] of Object.entries(held)) {
    add(
      `its fields are on ${label}`,
      async ({ get }) => {
        const response = await get(target, ON);
        expect(response.status).toBe(200);
        expectFixtureFields(response);
        const varies = listMembers(response, 'vary');
        expect(varies.sort()).toEqual(['accept-encoding', 'origin']);
        expect(fieldOf(response, 'cache-status')).toMatch(/^ng-ssr; hit\b/);
      },
      afterMiddleware,
    );

    add(
      `its fields are on a 304 of ${label}`,
      async ({ get }) => {
        const tag = strongTag(await get(target, ON));
        const response = await get(target, { ...ON, 'if-none-match': tag });
        expect(response.status).toBe(304);
        expectFixtureFields(response);
        expect(listMembers(response, 'vary').sort()).toEqual(['accept-encoding', 'origin']);
      },
      afterMiddleware,
    );
  }

  add(
    'its fields do not stay for the next request',
    async ({ get }) => {
      for (const target of ['/about', '/main-ABCDEFG2.js', '/rendered']) {
        expectFixtureFields(await get(target, ON));
        const response = await get(target);
        for (const name of ['x-request-id', 'set-cookie', 'content-security-policy']) {
          expect(fieldOf(response, name)).toBeUndefined();
        }
        expect(listMembers(response, 'vary')).not.toContain('origin');
      }
    },
    afterMiddleware,
  );

  add('its fields are on a rendered page', async ({ get }) => {
    const response = await get('/rendered', ON);
    expect(response.status).toBe(200);
    expectFixtureFields(response);
    expect(listMembers(response, 'vary')).toContain('origin');
  });

  add(
    'its fields are on a 405 and a failed render',
    async ({ get, request }) => {
      const refused = await request({ method: 'POST', target: '/about', headers: ON, body: 'x' });
      expect(refused.status).toBe(405);
      expect(fieldOf(refused, 'x-request-id')).toBe('fixture-1');
      const failed = await get('/boom', ON);
      expect(failed.status).toBe(500);
      expect(fieldOf(failed, 'x-request-id')).toBe('fixture-1');
    },
    afterMiddleware,
  );

  add(
    'its fields are on a large file',
    async ({ get }) => {
      expectFixtureFields(await get('/assets/prices.csv', ON));
    },
    { afterMiddleware: true, parity: false },
  );

  add(
    'its fields are on a part',
    async ({ get }) => {
      const response = await get('/about', { ...ON, range: 'bytes=0-9' });
      expect(response.status).toBe(206);
      expectFixtureFields(response);
    },
    afterMiddleware,
  );

  add(
    'HEAD has its fields too',
    async ({ request }) => {
      expectFixtureFields(await request({ method: 'HEAD', target: '/about', headers: ON }));
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
        expect(fieldOf(response, 'content-range')).toBeUndefined();
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
