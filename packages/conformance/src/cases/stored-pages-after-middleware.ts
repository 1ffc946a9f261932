import { expect } from 'vitest';
import { headerLines, headerOf, type ClientResponse } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, listMembers, strongTag } from '../expectations.ts';
import { expectHit, expectStored } from '../stored-expectations.ts';

/** Stored pages, and the headers and statuses that earlier middleware sets. */
export const storedPagesAfterMiddleware = caseFile('stored pages', (add) => {
  const profile = { profile: 'stored pages' } as const;
  const afterMiddleware = { ...profile, afterMiddleware: true };

  add(
    'what earlier middleware set is not stored',
    async ({ get }) => {
      const target = '/stored/page/headers';
      const first = await get(target, ON);
      expectStored(first);
      expectFixtureHeaders(first);
      const second = await get(target);
      expectHit(second);
      for (const name of FIXTURE_HEADERS) expect(headerOf(second, name), name).toBeUndefined();
      expect(listMembers(second, 'vary')).not.toContain('origin');
    },
    profile,
  );

  add(
    "earlier middleware's headers are on a stored page",
    async ({ get, request }) => {
      const target = '/stored/page/headers-on-hits';
      const first = await get(target);
      const headers = { ...ON, 'if-none-match': strongTag(first) };
      for (const [response, status] of [
        [await get(target, ON), 200],
        [await request({ method: 'HEAD', target, headers: ON }), 200],
        [await get(target, headers), 304],
        [await get(target, { ...ON, range: 'bytes=0-9' }), 206],
      ] as const) {
        expectHit(response);
        expect(response.status).toBe(status);
        expectFixtureHeaders(response);
        expect(listMembers(response, 'vary').sort()).toEqual(['accept-encoding', 'origin']);
      }
      expect(headerOf(await get(target), 'set-cookie')).toBeUndefined();
    },
    afterMiddleware,
  );

  add(
    "earlier middleware's refusal of a stored page is the answer",
    async ({ get }) => {
      const target = '/stored/page/refused';
      await get(target);
      const refused = await get(target, { 'x-fixture': 'deny', 'if-none-match': '*' });
      expect([refused.status, refused.body.toString()]).toEqual([401, 'denied']);
      expectHit(await get(target));
    },
    { ...afterMiddleware, parity: false },
  );

  add(
    'a page under a status of earlier middleware is not stored',
    async ({ get }) => {
      const target = '/stored/page/status';
      const first = await get(target, UNAVAILABLE);
      expect(first.status).toBe(503);
      expect(decodedBody(first).toString()).toContain('render 1');
      expect(headerOf(first, 'cache-status')).toMatch(/^ng-ssr; fwd=bypass\b/);
      const second = await get(target);
      expect(second.status).toBe(200);
      expectStored(second, 2);
    },
    profile,
  );

  add(
    'a stored page under a status of earlier middleware comes whole, and stays',
    async ({ get }) => {
      const target = '/stored/page/status-on-hits';
      const first = await get(target);
      for (const more of [{}, { 'if-none-match': '*' }, { range: 'bytes=0-9' }]) {
        const response = await get(target, { ...UNAVAILABLE, ...more });
        expect(response.status).toBe(503);
        expect(response.body.equals(first.body)).toBe(true);
      }
      const last = await get(target);
      expect(last.status).toBe(200);
      expectHit(last);
    },
    afterMiddleware,
  );
});

const ON = { 'x-fixture': 'on' };
const UNAVAILABLE = { 'x-fixture': 'unavailable' };
const FIXTURE_HEADERS = ['x-request-id', 'content-security-policy', 'set-cookie'];

function expectFixtureHeaders(response: ClientResponse): void {
  for (const name of FIXTURE_HEADERS) expect(headerLines(response, name), name).toHaveLength(1);
  expect(headerOf(response, 'set-cookie')).toMatch(/^seen=1\b/);
}
