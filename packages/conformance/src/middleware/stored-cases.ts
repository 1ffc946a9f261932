import { expect } from 'vitest';
import { headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectNotModified, strongTag } from '../expectations.ts';
import { expectHit, expectStored, purge } from '../stored-expectations.ts';
import { askThrough } from './stack-headers.ts';

/** Headers of middleware are on hits of stored pages, and are never stored. */
export const storedCases = caseFile('middleware stored pages', (add) => {
  add('its headers are on a stored page, once, and new for each request', async (context) => {
    const target = '/stored/page/through';
    const first = await askThrough(context, { target });
    expectStored(first);
    const headers = { 'if-none-match': strongTag(first) };
    const second = await askThrough(context, { target });
    expect(second.body.equals(first.body)).toBe(true);
    const notModified = await askThrough(context, { target, headers });
    expectNotModified(notModified, second);
    const head = await askThrough(context, { method: 'HEAD', target });
    const part = await askThrough(context, { target, headers: { range: 'bytes=0-9' } });
    expect([head.status, part.status]).toEqual([200, 206]);
    for (const response of [second, notModified, head, part]) expectHit(response);
    expect(context.engine.renders(target)).toBe(1);
  });

  add('each answer with a stored page has an id of its own', async ({ get }) => {
    const ids = new Set<string>();
    for (let request = 1; request <= 3; request++) {
      const lines = headerLines(await get('/stored/page/ids'), 'x-request-id');
      expect(lines).toHaveLength(1);
      ids.add(lines[0] ?? '');
    }
    expect(ids.size).toBe(3);
  });

  add("the first visitor's session is not stored", async (context) => {
    const target = '/stored/page/session';
    const first = await askThrough(context, { target });
    expectStored(first);
    const cookie = headerLines(first, 'set-cookie').map((line) => line.split(';')[0]);
    const known = await context.get(target, { cookie: cookie.join('; ') });
    expectHit(known);
    expect(headerOf(known, 'set-cookie')).toBeUndefined();
    // A new client gets one session, not two.
    expectHit(await askThrough(context, { target }));
  });

  add("a guard's 401 is the answer for a stored page", async (context) => {
    const target = '/stored/page/behind-guard';
    await askThrough(context, { target });
    const response = await askThrough(context, { target, headers: { 'x-auth': 'none' } });
    expect([response.status, response.body.toString()]).toEqual([401, 'unauthorized']);
    expect(headerOf(response, 'age')).toBeUndefined();
  });

  add(
    'a purge counts when a parser has read it',
    async (context) => {
      const target = '/stored/page/parsed';
      await askThrough(context, { target });
      const response = await purge(context, { path: target, hard: true });
      expect(response.status).toBe(200);
      expect(JSON.parse(response.body.toString())).toEqual({
        purged: { path: target, hard: true },
        here: 1,
        elsewhere: [],
      });
      expectStored(await askThrough(context, { target }), 2);
      expect((await purge(context, { path: 'no path' })).status).toBe(400);
      expect((await purge(context, {}, { authorization: 'Bearer x' })).status).toBe(401);
    },
    { profile: 'stored pages' },
  );
});
