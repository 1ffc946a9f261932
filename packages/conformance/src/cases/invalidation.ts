import { expect } from 'vitest';
import { type ClientResponse, headerLines } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { FORM_ANSWER } from '../fixture-effects.ts';

/** Unsafe requests invalidate the stored pages of their target (RFC 9111 section 4.4). */
export const invalidation = caseFile('invalidation', (add) => {
  const profile = { profile: 'stored pages', parity: false } as const;
  const PAGES = ['/form', '/form?a=1', '/form?a=2', '/%66orm'];

  add(
    "a user's POST route that succeeds invalidates the pages of its path, whatever their query",
    async ({ get, request, engine }) => {
      await get('/stored/page/not-invalidated');
      for (const target of ['/form', '/form?a=2']) {
        for (const page of PAGES) await get(page);
        const before = engine.renders();
        for (const page of PAGES) expect(isHit(await get(page)), page).toBe(true);
        expect(engine.renders()).toBe(before);

        const response = await request({ method: 'POST', target, body: 'a=1' });
        expect([response.status, String(response.body)]).toEqual([200, FORM_ANSWER]);
        expect(isHit(await get('/form')), `POST ${target}`).toBe(false);
        expect(isHit(await get('/form?a=1'))).toBe(false);
        expect(isHit(await get('/%66orm'))).toBe(true);
        expect(isHit(await get('/stored/page/not-invalidated'))).toBe(true);
      }
    },
    profile,
  );

  add(
    'an unsafe request that fails, and a safe one, invalidate nothing',
    async ({ get, request }) => {
      await get('/form');
      const denied = { 'x-fixture': 'deny' };
      const responses = [
        await request({ method: 'POST', target: '/form', headers: denied, body: 'a=1' }),
        await request({ method: 'PUT', target: '/form', body: 'a=1' }),
        await request({ method: 'DELETE', target: '/form' }),
        await request({ method: 'OPTIONS', target: '/form' }),
        await request({ method: 'HEAD', target: '/form' }),
      ];
      const [post, put, remove] = responses.map(({ status }) => status);
      expect([post, put, remove]).toEqual([401, 405, 405]);
      expect(isHit(await get('/form'))).toBe(true);
    },
    profile,
  );
});

function isHit(response: ClientResponse): boolean {
  expect(response.status).toBe(200);
  return headerLines(response, 'cache-status').some((line) => line.startsWith('ng-ssr; hit'));
}
