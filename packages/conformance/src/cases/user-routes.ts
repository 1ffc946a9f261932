import { expect } from 'vitest';
import { headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { DELIBERATE_404, FORM_ANSWER } from '../fixture-effects.ts';

/** The framework answers the user's own routes. */
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
    'a route has the headers of earlier middleware',
    async ({ get }) => {
      const response = await get('/api/time', { 'x-fixture': 'on' });
      const names = response.headers.map(([name]) => name.toLowerCase());
      expect(names).toContain('x-request-id');
      expect(names).toContain('set-cookie');
    },
    framework,
  );

  add("a page at the path of a POST route is the engine's", async ({ get, request, engine }) => {
    for (const earlier of [{}, { 'x-fixture': 'on' }]) {
      expect((await get('/form', earlier)).status).toBe(200);
    }
    expect((await request({ method: 'HEAD', target: '/form' })).status).toBe(200);
    expect(engine.renders('/form')).toBe(3);
  });

  add(
    'a POST route at the path of a page gets its POST',
    async ({ request, engine }) => {
      const response = await request({ method: 'POST', target: '/form', body: 'a=1' });
      expect([response.status, String(response.body)]).toEqual([200, FORM_ANSWER]);
      expect(engine.renders()).toBe(0);
    },
    framework,
  );

  add(
    'other methods at the path of a page with a POST route are a 405',
    async ({ request, engine }) => {
      for (const method of ['PUT', 'DELETE']) {
        const response = await request({ method, target: '/form' });
        expect(response.status).toBe(405);
        const allowed = (headerOf(response, 'allow') ?? '').split(/\s*,\s*/);
        expect(allowed).toEqual(expect.arrayContaining(['GET', 'HEAD']));
      }
      expect(engine.renders()).toBe(0);
    },
    framework,
  );

  add(
    'HEAD of a GET route has its status and no content',
    async ({ request, get, engine }) => {
      for (const [target, status] of [
        ['/api/time', 200],
        ['/api/missing', 404],
      ] as const) {
        const whole = await get(target);
        const response = await request({ method: 'HEAD', target });
        expect([response.status, whole.status]).toEqual([status, status]);
        expect(response.body).toHaveLength(0);
      }
      expect(engine.renders()).toBe(0);
    },
    framework,
  );

  add("a path beside the routes is the engine's", async ({ get, engine }) => {
    expect((await get('/api/nothing')).status).toBe(404);
    expect(engine.renders('/api/nothing')).toBe(1);
  });
});
