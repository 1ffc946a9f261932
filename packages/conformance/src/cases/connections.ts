import { expect } from 'vitest';
import { requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, expectWhole, strongTag } from '../expectations.ts';
import { RawConnection } from '../raw-client.ts';
import { stubPage } from '../stub-pages.ts';

/** Several requests on one HTTP/1.1 connection. */
export const connections = caseFile('connections', (add) => {
  const wire = { wire: true };

  add(
    'one connection carries a hit, a render, a 304, a 204 and a refusal',
    async ({ connect, site }) => {
      const connection = await connect();
      const next = async (target: string, headers: Record<string, string> = {}) => {
        connection.write(requestBytes({ target, headers }));
        return connection.read();
      };
      const hit = await next('/about');
      expectWhole(hit, site.read('about/index.html'));
      expect((await next('/rendered')).status).toBe(200);
      expect((await next('/about', { 'if-none-match': strongTag(hit) })).status).toBe(304);
      expect((await next('/empty')).status).toBe(204);
      expect((await next('/about', { host: 'elsewhere.example' })).status).toBe(400);
      expectWhole(await next('/about'), site.read('about/index.html'));
      connection.end();
    },
    wire,
  );

  add(
    'requests sent in one go are answered in their order',
    async ({ connect, engine, site }) => {
      const connection = await connect();
      const targets = ['/slow', '/about', '/rendered', '/'];
      connection.write(targets.map((target) => requestBytes({ target })).join(''));
      const render = await Promise.race([engine.held(), connection.closed]);
      expect(render, 'the connection was closed before the render began').toBeDefined();
      render!.release();
      expect(decodedBody(await connection.read()).toString()).toBe(stubPage('Slow'));
      expectWhole(await connection.read(), site.read('about/index.html'));
      expect(decodedBody(await connection.read()).toString()).toBe(stubPage('Rendered'));
      expectWhole(await connection.read(), site.read('index.html'));
      connection.end();
    },
    wire,
  );

  add(
    'a request that arrives byte by byte is answered',
    async ({ connect, site }) => {
      const connection = await connect();
      for (const byte of requestBytes({ target: '/about' })) connection.write(byte);
      expectWhole(await connection.read(), site.read('about/index.html'));
      connection.end();
    },
    wire,
  );

  add(
    'an offer to upgrade to another protocol is passed over',
    async ({ get, site }) => {
      const headers = {
        connection: 'Upgrade, HTTP2-Settings',
        upgrade: 'h2c',
        'http2-settings': '',
      };
      expectWhole(await get('/about', headers), site.read('about/index.html'));
    },
    wire,
  );

  add(
    'a kept connection that idles does not keep close() from ending',
    async ({ start, expectAlive }) => {
      const { server } = await start();
      const connection = await RawConnection.open(server.port ?? 0);
      connection.write(requestBytes({ target: '/about' }));
      expect((await connection.read()).status).toBe(200);
      await server.close();
      await connection.closed;
      await expectAlive();
    },
    { ...wire, profile: 'no encodings' },
  );
});
