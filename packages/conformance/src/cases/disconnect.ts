import { expect } from 'vitest';
import { requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody } from '../expectations.ts';
import { RawConnection } from '../raw-client.ts';
import { stubPage } from '../stub-pages.ts';

/** Clients that disconnect before their answer. */
export const disconnect = caseFile('disconnect', (add) => {
  const wire = { wire: true, parity: false };

  add(
    'a client that leaves during its render leaves a server that answers',
    async (t) => {
      const connection = await t.connect();
      connection.write(requestBytes({ target: '/slow' }));
      const render = await t.engine.held();
      connection.destroy();
      await connection.closed;
      await t.expectAlive();
      render.release();
      await t.expectAlive();
      expect(t.errors).toEqual([]);
    },
    wire,
  );

  add(
    "a client that leaves does not take another's page along",
    async (t) => {
      const [leaver, stayer] = [await t.connect(), await t.connect()];
      leaver.write(requestBytes({ target: '/slow' }));
      const first = await t.engine.held();
      stayer.write(requestBytes({ target: '/slow' }));
      leaver.destroy();
      await leaver.closed;
      first.release();
      // The second request may share the first render or cause its own.
      void t.engine.held().then((second) => second.release());
      const response = await stayer.read();
      expect(response.status).toBe(200);
      expect(decodedBody(response).toString()).toBe(stubPage('Slow'));
      stayer.end();
    },
    wire,
  );

  add(
    'a client that leaves while its render is queued is not rendered',
    async (t) => {
      const [first, leaver, stayer] = [await t.connect(), await t.connect(), await t.connect()];
      first.write(requestBytes({ target: '/slow' }));
      const render = await t.engine.held();
      leaver.write(requestBytes({ target: '/streamed' }));
      stayer.write(requestBytes({ target: '/rendered' }));
      // Once the server has answered later requests, both are queued.
      expect((await t.get('/')).status).toBe(200);
      leaver.destroy();
      await leaver.closed;
      expect((await t.get('/')).status).toBe(200);
      render.release();
      expect((await first.read()).status).toBe(200);
      expect((await stayer.read()).status).toBe(200);
      expect(t.engine.renders('/streamed')).toBe(0);
      expect(t.errors).toEqual([]);
      first.end();
      stayer.end();
    },
    { ...wire, profile: 'one render at a time' },
  );

  add(
    'close() ends after a client has left during its render',
    async ({ start }) => {
      const { server, engine, errors } = await start();
      const connection = await RawConnection.open(server.port ?? 0);
      connection.write(requestBytes({ target: '/slow' }));
      const render = await engine.held();
      connection.destroy();
      await connection.closed;
      render.release();
      await server.close();
      expect(errors).toEqual([]);
    },
    { ...wire, profile: 'no encodings' },
  );

  add(
    'close() lets a render in flight finish',
    async ({ start }) => {
      const { server, engine } = await start();
      const connection = await RawConnection.open(server.port ?? 0);
      connection.write(requestBytes({ target: '/slow' }));
      const render = await engine.held();
      const closing = server.close();
      render.release();
      const response = await connection.read();
      expect(response.status).toBe(200);
      expect(decodedBody(response).toString()).toBe(stubPage('Slow'));
      connection.end();
      await closing;
    },
    { ...wire, profile: 'no encodings' },
  );

  add(
    'a client that leaves within a large file leaves a server that answers',
    async (t) => {
      const connection = await t.connect();
      connection.write(requestBytes({ target: '/assets/prices.csv' }));
      await connection.firstByte();
      connection.destroy();
      await connection.closed;
      await t.expectAlive();
    },
    wire,
  );

  add(
    'a client that leaves within its request leaves a server that answers',
    async (t) => {
      for (const bytes of ['GET', 'GET /about HTTP/1.1\r\nHost:', 'POST /about HTTP/1.1\r\n']) {
        const connection = await t.connect();
        connection.write(bytes);
        connection.destroy();
        await connection.closed;
      }
      await t.expectAlive();
    },
    wire,
  );
});
