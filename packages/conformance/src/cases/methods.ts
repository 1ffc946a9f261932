import { expect } from 'vitest';
import { headerOf, FIXTURE_HOST, requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import {
  decodedBody,
  expectNoSecret,
  expectRefused,
  expectWhole,
  listMembers,
} from '../expectations.ts';

const REFUSED = ['POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE', 'PROPFIND'];
const TARGETS = ['/about', '/main-ABCDEFG2.js', '/rendered', '/nowhere'];

/** Pages allow GET and HEAD only. */
export const methods = caseFile('methods', (add) => {
  for (const method of REFUSED) {
    for (const target of TARGETS) {
      add(
        `${method} ${target} is a 405`,
        async ({ request, engine }) => {
          const body = /^P/.test(method) ? 'a=1' : undefined;
          const response = await request({ method, target, ...(body && { body }) });
          expect(response.status).toBe(405);
          const allowed = (headerOf(response, 'allow') ?? '').split(/\s*,\s*/).sort();
          expect(allowed).toEqual(['GET', 'HEAD']);
          expect(engine.renders()).toBe(0);
        },
        { wire: method === 'TRACE' },
      );
    }
  }

  add(
    'TRACE gives nothing of the request back',
    async ({ request }) => {
      const headers = { 'x-token': 'abc-def-ghi' };
      const response = await request({ method: 'TRACE', target: '/about', headers });
      expect(response.body.includes('abc-def-ghi')).toBe(false);
    },
    { wire: true },
  );

  add(
    'OPTIONS * is answered for the server as a whole',
    async ({ request, engine }) => {
      const response = await request({ method: 'OPTIONS', target: '*' });
      expect(response.status).toBe(204);
      expect(listMembers(response, 'allow')).toEqual(['get', 'head', 'options']);
      expect(response.body).toHaveLength(0);
      for (const name of ['etag', 'content-length', 'content-type', 'transfer-encoding']) {
        expect(headerOf(response, name), name).toBeUndefined();
      }
      expect(engine.renders()).toBe(0);
    },
    { wire: true },
  );

  for (const host of ['evil.example', 'a@b']) {
    add(
      `OPTIONS * is refused for the host ${host}`,
      async ({ request, engine }) => {
        const asked = { method: 'OPTIONS', target: '*', headers: { host } };
        expectRefused(await request(asked), engine);
      },
      { wire: true },
    );
  }

  add(
    'a connection is answered after OPTIONS *',
    async ({ connect, site }) => {
      const connection = await connect();
      connection.write(requestBytes({ method: 'OPTIONS', target: '*' }));
      expect((await connection.read('OPTIONS')).status).toBe(204);
      connection.write(requestBytes({ target: '/about' }));
      expectWhole(await connection.read(), site.read('about/index.html'));
      connection.end();
    },
    { wire: true },
  );

  add(
    'a method in lower case is not GET',
    async ({ raw, engine }) => {
      const response = await raw(`get /about HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\n\r\n`);
      expect(response.status).toBeGreaterThanOrEqual(400);
      expect(response.status).toBeLessThan(500);
      expect(engine.renders()).toBe(0);
    },
    { wire: true, parity: false },
  );

  add(
    'a GET with content is answered like one without',
    async ({ request, site }) => {
      const response = await request({ target: '/about', body: 'unread content' });
      expectWhole(response, site.read('about/index.html'));
    },
    { wire: true },
  );

  add(
    'content of a refused request does not disturb the next',
    async ({ connect, site }) => {
      const connection = await connect();
      const body = 'x'.repeat(100_000);
      connection.write(requestBytes({ method: 'POST', target: '/about', body }));
      expect((await connection.read()).status).toBe(405);
      connection.write(requestBytes({ target: '/about' }));
      expectWhole(await connection.read(), site.read('about/index.html'));
      connection.end();
    },
    { wire: true },
  );

  add(
    'CONNECT opens nothing, and the server goes on',
    async ({ connect, expectAlive }) => {
      const connection = await connect();
      connection.write(`CONNECT ${FIXTURE_HOST}:443 HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\n\r\n`);
      const response = await connection.read().catch(() => undefined);
      connection.end();
      if (response) {
        expect(response.status).toBeGreaterThanOrEqual(400);
        expect(response.status).toBeLessThan(500);
      }
      await expectAlive();
    },
    { wire: true, parity: false },
  );

  add('a method override is passed over', async ({ request, engine }) => {
    const headers = { 'x-http-method-override': 'DELETE', 'x-http-method': 'DELETE' };
    const response = await request({ target: '/echo', headers });
    expect(response.status).toBe(200);
    expectNoSecret(response);
    expect(JSON.parse(decodedBody(response).toString())).toMatchObject({ method: 'GET' });
    expect(engine.renders('/echo')).toBe(1);
  });
});
