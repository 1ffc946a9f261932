import { expect } from 'vitest';
import { caseFile } from '../conformance-case.ts';
import { DELIBERATE_404 } from '../fixture-effects.ts';

/** The user's own routes are the framework's. */
export const userRoutes = caseFile('user routes', (add) => {
  const framework = { parity: false };

  add(
    'a GET route answers',
    async ({ get, engine }) => {
      const response = await get('/api/time?zone=utc');
      expect(response.status).toBe(200);
      expect(JSON.parse(response.body.toString())).toEqual({ now: expect.any(Number) });
      expect(engine.renders()).toBe(0);
    },
    framework,
  );

  add(
    'a POST route gets its content and answers',
    async ({ request, engine }) => {
      for (const body of ['hello', 'ä'.repeat(50_000), '']) {
        const response = await request({ method: 'POST', target: '/api/echo', body });
        expect(response.status).toBe(200);
        expect(response.body.toString()).toBe(body);
      }
      expect(engine.renders()).toBe(0);
    },
    framework,
  );

  add(
    'a deliberate 404 is left alone',
    async ({ get, engine }) => {
      const response = await get('/api/missing');
      expect(response.status).toBe(404);
      expect(response.body.toString()).toBe(DELIBERATE_404);
      expect(engine.renders()).toBe(0);
    },
    framework,
  );

  add(
    'a route has the fields of earlier middleware',
    async ({ get }) => {
      const response = await get('/api/time', { 'x-fixture': 'on' });
      const names = response.fields.map(([name]) => name.toLowerCase());
      expect(names).toContain('x-request-id');
      expect(names).toContain('set-cookie');
    },
    framework,
  );

  add("a path beside the routes is the engine's", async ({ get, engine }) => {
    expect((await get('/api/nothing')).status).toBe(404);
    expect(engine.renders('/api/nothing')).toBe(1);
  });
});
