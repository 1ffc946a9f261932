import { expect } from 'vitest';
import { headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { askThrough, expectStackHeaders, ORIGIN } from './stack-headers.ts';

const TARGETS = ['/about', '/main-ABCDEFG2.js', '/assets/prices.csv', '/rendered', '/boom'];

/** Answers of middleware and routes are sent as they are. */
export const accessCases = caseFile('middleware access', (add) => {
  for (const target of TARGETS) {
    add(`a guard's 401 is the answer for ${target}`, async (context) => {
      for (const extra of [{}, { 'if-none-match': '*' }, { range: 'bytes=0-9' }]) {
        const headers = { 'x-auth': 'none', ...extra };
        const response = await askThrough(context, { target, headers });
        expect(response.status).toBe(401);
        expect(response.body.toString()).toBe('unauthorized');
        expect(headerOf(response, 'cache-status')).toBeUndefined();
      }
      const request = { method: 'HEAD', target, headers: { 'x-auth': 'none' } };
      expect((await askThrough(context, request)).status).toBe(401);
      expect(context.engine.renders()).toBe(0);
      expect(context.errors).toHaveLength(0);
    });
  }

  add("a guard's 401 is the answer for routes", async (context) => {
    const headers = { 'x-auth': 'none', 'content-type': 'application/json' };
    const request = { method: 'POST', target: '/api/form', headers, body: '{"a":1}' };
    const response = await askThrough(context, request);
    expect(response.status).toBe(401);
    expect(response.body.toString()).toBe('unauthorized');
  });

  add('a route gets the content that a parser has read', async (context) => {
    const bodies = {
      'application/json': '{"name":"Äpfel","price":"3"}',
      'application/x-www-form-urlencoded': 'name=%C3%84pfel&price=3',
    };
    for (const [type, body] of Object.entries(bodies)) {
      const headers = { 'content-type': type };
      const request = { method: 'POST', target: '/api/form', headers, body };
      const response = await askThrough(context, request);
      expect(response.status).toBe(200);
      expect(JSON.parse(response.body.toString())).toEqual({ name: 'Äpfel', price: '3' });
    }
    expect(context.engine.renders()).toBe(0);
  });

  add('a GET route answers', async (context) => {
    const response = await askThrough(context, { target: '/api/time' });
    expect(response.status).toBe(200);
    expect(JSON.parse(response.body.toString())).toEqual({ now: expect.any(Number) });
  });

  for (const target of ['/about', '/rendered', '/api/form']) {
    add(`a preflight request for ${target} is answered by CORS`, async ({ request, engine }) => {
      const headers = { origin: ORIGIN, 'access-control-request-method': 'GET' };
      const response = await request({ method: 'OPTIONS', target, headers });
      expect([200, 204]).toContain(response.status);
      expect(headerOf(response, 'access-control-allow-origin')).toBe(ORIGIN);
      expect(headerOf(response, 'access-control-allow-methods')).toMatch(/\bGET\b/);
      expect(engine.renders()).toBe(0);
    });
  }

  add('requests are logged and answered the same after all of them', async (context) => {
    for (const target of ['/about', '/rendered', '/about']) {
      expectStackHeaders(await context.get(target, { origin: ORIGIN }));
    }
  });
});
