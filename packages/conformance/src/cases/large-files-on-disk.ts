import { readdir, readlink, rename, symlink, truncate } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { headerOf, requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { CSV, expectPartOf, expectWholeFile, withContent } from '../large-file-fixtures.ts';

/** Large files that change while the server runs, and downloads that end early. */
export const largeFilesOnDisk = caseFile('large files', (add) => {
  const wire = { wire: true, parity: false };

  add('links that lead nowhere, outside or in a circle serve nothing', async ({ get }) => {
    for (const path of ['/dangling.bin', '/circle.bin', '/here/here/robots.txt']) {
      expect((await get(path)).status, path).toBe(404);
    }
  });

  add('a large file that has gone is a 404, until it is back', async (t) => {
    const path = join(t.site.browserFolder, CSV);
    await rename(path, `${path}.away`);
    try {
      for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]) {
        expect((await t.get(CSV, headers)).status).toBe(404);
      }
      expect((await t.request({ method: 'HEAD', target: CSV })).status).toBe(404);
      await t.expectAlive();
    } finally {
      await rename(`${path}.away`, path);
    }
    expectWholeFile(await t.get(CSV), t.site.read('assets/prices.csv'));
    expect(t.errors).toEqual([]);
  });

  add('a large file that cannot be opened is a 500, which is reported', async (t) => {
    const path = join(t.site.browserFolder, CSV);
    await rename(path, `${path}.away`);
    try {
      await symlink('prices.csv', path, 'file');
      expect((await t.get(CSV)).status).toBe(500);
      expect((await t.request({ method: 'HEAD', target: CSV })).status).toBe(500);
      await t.expectAlive();
      expect(t.errors).toMatchObject([
        { code: 'NG_SSR_FILE_UNREADABLE' },
        { code: 'NG_SSR_FILE_UNREADABLE' },
      ]);
    } finally {
      await rename(`${path}.away`, path);
    }
  });

  for (const [change, content] of [
    ['grown', Buffer.alloc(3_000_000, 'grown ')],
    ['shrunk', Buffer.from('shrunk')],
    ['been emptied', Buffer.alloc(0)],
  ] as const) {
    add(`a large file that has ${change} since the start arrives as it is now`, async (t) => {
      const tag = headerOf(await t.get(CSV), 'etag');
      await withContent(t.site, content, async () => {
        const response = await t.get(CSV);
        expectWholeFile(response, content);
        expect(headerOf(response, 'etag')).not.toBe(tag);
        const size = content.length;
        const beyond = await t.get(CSV, { range: 'bytes=1000-' });
        if (size > 1000) return expectPartOf(beyond, content, 1000, size - 1);
        expect(beyond.status).toBe(416);
        expect(headerOf(beyond, 'content-range')).toBe(`bytes */${size}`);
      });
    });
  }

  add(
    'answers stay in step when a large file changes between them',
    async ({ connect, site }) => {
      const connection = await connect();
      const ask = async (headers: Readonly<Record<string, string>> = {}) => {
        connection.write(requestBytes({ target: CSV, headers }));
        return connection.read();
      };
      expect((await ask()).status).toBe(200);
      for (const content of [Buffer.alloc(2_000_000, 'more '), Buffer.from('less')]) {
        await withContent(site, content, async () => {
          expectWholeFile(await ask(), content);
          expectPartOf(await ask({ range: 'bytes=1-' }), content, 1, content.length - 1);
        });
      }
      expectWholeFile(await ask(), site.read('assets/prices.csv'));
      connection.end();
    },
    wire,
  );

  add(
    'a large file that shrinks while it is sent ends its connection',
    async (t) => {
      const { server } = await t.start();
      const announced = 200_000_000;
      await withContent(t.site, Buffer.from('sparse'), async (path) => {
        await truncate(path, announced);
        const socket = connect({ port: server.port ?? 0, host: '127.0.0.1' });
        socket.on('error', () => undefined);
        const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
        socket.write(requestBytes({ target: CSV }));
        await new Promise((resolve) => socket.once('readable', resolve));
        await truncate(path, 10);
        let receivedBytes = 0;
        socket.on('data', (chunk: Buffer) => (receivedBytes += chunk.length));
        await ended;
        expect(receivedBytes).toBeLessThan(announced);
      });
      await t.expectAlive();
      await server.close();
    },
    { ...wire, profile: 'no encodings' },
  );

  add(
    'a client that leaves within a large file leaves no descriptor open, and nothing in the log',
    async (t) => {
      const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      onTestFinished(() => log.mockRestore());
      await withContent(t.site, Buffer.from('sparse'), async (path) => {
        await truncate(path, 200_000_000);
        for (const headers of [{}, { range: 'bytes=5-' }]) {
          const connections = await Promise.all(Array.from({ length: 20 }, () => t.connect()));
          for (const connection of connections) {
            connection.write(requestBytes({ target: CSV, headers }));
          }
          await Promise.all(connections.map((connection) => connection.firstByte()));
          for (const connection of connections) connection.destroy();
          await vi.waitFor(async () => expect(await descriptorsOf(path)).toBe(0), 10_000);
        }
      });
      await t.expectAlive();
      expect(log.mock.calls).toEqual([]);
      expect(t.errors).toEqual([]);
    },
    wire,
  );

  add(
    'a client that leaves before its large file comes is no error, and nothing is logged of it',
    async (t) => {
      const { server, errors } = await t.start();
      const log = vi.spyOn(console, 'error').mockImplementation(() => undefined);
      onTestFinished(() => log.mockRestore());
      const leave = async (isReset: boolean): Promise<void> => {
        const socket = connect({ port: server.port ?? 0, host: '127.0.0.1', noDelay: true });
        socket.on('error', () => undefined);
        const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
        // The client disconnects while the server opens the file, or a little later.
        socket.write(requestBytes({ target: CSV }), () => {
          if (isReset) socket.resetAndDestroy();
          else socket.destroy();
        });
        await closed;
      };
      for (let round = 0; round < 20; round++) {
        await Promise.all(Array.from({ length: 10 }, (_, i) => leave(i % 2 === 0)));
      }
      await t.expectAlive();
      // Waits until the aborted downloads have ended.
      await server.close();
      expect(errors).toEqual([]);
      expect(log.mock.calls).toEqual([]);
    },
    { ...wire, profile: 'no encodings' },
  );

  add(
    'no answer without content leaves a descriptor open',
    async ({ get, request, site }) => {
      const path = join(site.browserFolder, CSV);
      await request({ method: 'HEAD', target: CSV });
      await get(CSV, { 'if-none-match': '*' });
      await get(CSV, { 'if-match': '"other"' });
      await get(CSV, { range: 'bytes=99999999-' });
      await get(CSV, { range: 'bytes=0-0' });
      await get(CSV);
      await vi.waitFor(async () => expect(await descriptorsOf(path)).toBe(0), 10_000);
    },
    { parity: false },
  );
});

/** How many descriptors of a file all processes of this user have open; 0 without /proc. */
async function descriptorsOf(path: string): Promise<number> {
  const processes = await readdir('/proc').catch(() => []);
  const counts = processes.map(async (process) => {
    const descriptors = await readdir(`/proc/${process}/fd`).catch(() => []);
    const targets = descriptors.map((descriptor) =>
      readlink(`/proc/${process}/fd/${descriptor}`).catch(() => undefined),
    );
    return (await Promise.all(targets)).filter((target) => target === path).length;
  });
  return (await Promise.all(counts)).reduce((sum, count) => sum + count, 0);
}
