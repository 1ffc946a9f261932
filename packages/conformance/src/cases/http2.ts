import { expect } from 'vitest';
import { FIXTURE_HOST } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectRefused, expectWhole, listMembers, onlySeen } from '../expectations.ts';

/** Differences of HTTP/2 (RFC 9113). */
export const http2 = caseFile('http two', (add) => {
  const h2 = { h2: true };

  for (const target of ['/about', '/rendered']) {
    add(
      `${target} is answered for a :authority and a Host that agree`,
      async ({ get }) => {
        const headers = { ':authority': FIXTURE_HOST, host: FIXTURE_HOST };
        expect((await get(target, headers)).status).toBe(200);
      },
      h2,
    );

    add(
      `${target} is refused for a :authority and a Host that differ`,
      async ({ get, engine }) => {
        const differing = { ':authority': FIXTURE_HOST, host: 'evil.example' };
        expectRefused(await get(target, differing), engine);
        const reversed = { ':authority': 'evil.example', host: FIXTURE_HOST };
        expectRefused(await get(target, reversed), engine);
      },
      h2,
    );

    add(
      `${target} is answered for a Host without a :authority`,
      async ({ get, engine }) => {
        expect((await get(target, { ':authority': '', host: FIXTURE_HOST })).status).toBe(200);
        engine.reset();
        expectRefused(await get(target, { ':authority': '', host: 'evil.example' }), engine);
      },
      h2,
    );
  }

  add(
    'the engine sees the :authority as Host, and no pseudo-header',
    async ({ get, engine }) => {
      await get('/echo');
      const { headers } = onlySeen(engine);
      expect(headers['host']).toBe(FIXTURE_HOST);
      expect(Object.keys(headers).filter((name) => name.startsWith(':'))).toEqual([]);
    },
    h2,
  );

  add(
    'OPTIONS * is answered for the server as a whole',
    async ({ request, engine }) => {
      const response = await request({ method: 'OPTIONS', target: '*' });
      expect(response.status).toBe(204);
      expect(listMembers(response, 'allow')).toEqual(['get', 'head', 'options']);
      expect(engine.renders()).toBe(0);
    },
    h2,
  );

  add(
    'header names are in lower case',
    async ({ get, site }) => {
      const response = await get('/guide', { 'x-fixture': 'on' });
      expectWhole(response, site.read('guide/index.html'));
      for (const [name] of response.headers) expect(name).toBe(name.toLowerCase());
    },
    h2,
  );
});
