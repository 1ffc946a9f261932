import { expect } from 'vitest';
import { headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';

const BOTH = ['first=1; Path=/', 'second=2; Path=/; HttpOnly'];

/** Cookies, in both directions. */
export const cookies = caseFile('cookies', (add) => {
  add('every Set-Cookie of a rendered page is a line of its own', async ({ get }) => {
    const response = await get('/hello');
    expect(headerLines(response, 'set-cookie')).toEqual(BOTH);
    expect(headerLines(response, 'x-greeting')).toEqual(['hello']);
  });

  add("a page's cookies stand beside those of earlier middleware", async ({ get }) => {
    const response = await get('/hello', { 'x-fixture': 'on' });
    expect(headerLines(response, 'set-cookie').sort()).toEqual([...BOTH, 'seen=1'].sort());
  });

  add("the page of one visitor is never another's", async ({ get, engine }) => {
    await get('/hello', { cookie: 'session=alice' });
    await get('/hello', { cookie: 'session=bob' });
    expect(engine.seen.map(({ headers }) => headers['cookie'])).toEqual([
      'session=alice',
      'session=bob',
    ]);
  });

  add('a page with cookies is not for shared caches', async ({ get }) => {
    expect(headerOf(await get('/hello'), 'cache-control')).toMatch(/\b(private|no-store)\b/);
  });

  add('a held page sets no cookie and reads none', async ({ get, engine }) => {
    const response = await get('/about', { cookie: 'session=alice' });
    expect(response.status).toBe(200);
    expect(headerOf(response, 'set-cookie')).toBeUndefined();
    expect(engine.renders()).toBe(0);
  });
});
