import { readdir, readlink, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { expect, onTestFinished, vi } from 'vitest';
import { type ClientResponse, fieldLines, fieldOf, requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody } from '../expectations.ts';
import { FIXTURE_TIME } from '../fixture-content.ts';
import type { FixtureSite } from '../fixture-site.ts';

export const CSV = '/assets/prices.csv';
export const CHUNK = '/chunk-BIGFILE7.js';
const ARCHIVE = '/assets/archive';

/** Modification times of changed files: the same in every run, so that runs can be compared. */
const CHANGED_TIME = new Date(FIXTURE_TIME.getTime() + 3_600_000);
export const MODIFIED = FIXTURE_TIME.toUTCString();
const EARLIER = new Date(FIXTURE_TIME.getTime() - 1000).toUTCString();

/** Files of more than `maxFileBytes`, which are read from disk while they are sent. */
export const largeFiles = caseFile('large files', (add) => {
  const wire = { wire: true, parity: false };

  add('a large file arrives whole', async ({ get, site, engine }) => {
    const response = await get(CSV);
    expectWholeFile(response, site.read('assets/prices.csv'));
    expect(fieldOf(response, 'last-modified')).toBe(MODIFIED);
    expect(fieldLines(response, 'etag')).toHaveLength(1);
    expect(fieldOf(response, 'etag')).toMatch(/^W\/"[\x21\x23-\x7e]+"$/);
    expect(fieldOf(response, 'accept-ranges')).toBe('bytes');
    expect(engine.renders()).toBe(0);
  });

  add('a large file says that it is not from memory', async ({ get }) => {
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const lines = fieldLines(await get(CSV, headers), 'cache-status');
      expect(lines).toEqual(['ng-ssr; fwd=bypass; detail=file']);
    }
  });

  for (const [target, type] of [
    [CSV, 'text/csv; charset=utf-8'],
    [CHUNK, 'text/javascript; charset=utf-8'],
    [ARCHIVE, 'application/octet-stream'],
  ] as const) {
    add(`${target} is ${type}`, async ({ get, request }) => {
      expect(fieldOf(await get(target), 'content-type')).toBe(type);
      const head = await request({ method: 'HEAD', target });
      expect(fieldOf(head, 'content-type')).toBe(type);
    });
  }

  add('a large file has one lifetime, by its name', async ({ get }) => {
    const lifetime = async (target: string) => fieldLines(await get(target), 'cache-control');
    expect(await lifetime(CSV)).toEqual(['public, max-age=0, must-revalidate']);
    expect(await lifetime(CHUNK)).toEqual(['public, max-age=31536000, immutable']);
  });

  add("a client that takes every coding gets a large file's bytes", async ({ get, site }) => {
    const response = await get(CHUNK, { 'accept-encoding': 'br, zstd, gzip' });
    expect(response.status).toBe(200);
    expect(decodedBody(response).equals(site.read('chunk-BIGFILE7.js'))).toBe(true);
  });

  add('HEAD of a large file has the fields of GET and no content', async ({ get, request }) => {
    const whole = await get(CSV);
    for (const headers of [{}, { range: 'bytes=0-9' }]) {
      const head = await request({ method: 'HEAD', target: CSV, headers });
      expect(head.status).toBe(200);
      for (const name of ['content-length', 'content-type', 'etag', 'last-modified']) {
        expect(fieldOf(head, name), name).toBe(fieldOf(whole, name));
      }
      expect(head.body).toHaveLength(0);
    }
  });

  const satisfiable: Record<string, (size: number) => readonly [first: number, last: number]> = {
    'bytes=0-0': () => [0, 0],
    'bytes=1000-1999': () => [1000, 1999],
    'bytes=0-': (size) => [0, size - 1],
    'bytes=1000000-': (size) => [1_000_000, size - 1],
    'bytes=-1': (size) => [size - 1, size - 1],
    'bytes=-500': (size) => [size - 500, size - 1],
    'bytes=0-99999999': (size) => [0, size - 1],
    'bytes=-99999999': (size) => [0, size - 1],
  };
  for (const [range, part] of Object.entries(satisfiable)) {
    add(`${range} of a large file is a 206`, async ({ get, site }) => {
      for (const [target, path] of [
        [CSV, 'assets/prices.csv'],
        [ARCHIVE, 'assets/archive'],
      ] as const) {
        const bytes = site.read(path);
        expectPartOf(await get(target, { range }), bytes, ...part(bytes.length));
      }
    });
  }

  for (const range of ['bytes=5-2', 'bytes=a-b', 'items=0-9', 'bytes=0-9,20-29', 'bytes=-']) {
    add(`${range} of a large file is the whole`, async ({ get, site }) => {
      expectWholeFile(await get(CSV, { range }), site.read('assets/prices.csv'));
    });
  }

  for (const [name, toRange] of [
    ['beyond a large file', (size: number) => `bytes=${size}-`],
    ['of no bytes of a large file', () => 'bytes=-0'],
  ] as const) {
    add(`a range ${name} is a 416`, async ({ get, site }) => {
      const size = site.read('assets/prices.csv').length;
      const response = await get(CSV, { range: toRange(size) });
      expect(response.status).toBe(416);
      expect(fieldOf(response, 'content-range')).toBe(`bytes */${size}`);
    });
  }

  add('a part is of the bytes that the same client gets', async ({ get, site }) => {
    const headers = { range: 'bytes=10-59', 'accept-encoding': 'deflate' };
    // Earlier compression middleware may code text, so such a client gets the whole file.
    const text = await get(CSV, headers);
    expect(text.status).toBe(200);
    expect(decodedBody(text).equals(site.read('assets/prices.csv'))).toBe(true);
    expectPartOf(await get(ARCHIVE, headers), site.read('assets/archive'), 10, 59);
  });

  const ifRange: Record<string, [field: string | undefined, status: number]> = {
    'the date of a large file': [MODIFIED, 206],
    'another date': [EARLIER, 200],
    'a later date': [new Date(FIXTURE_TIME.getTime() + 1000).toUTCString(), 200],
    'another tag': ['"other"', 200],
    'its weak tag': [undefined, 200],
  };
  for (const [name, [field, status]] of Object.entries(ifRange)) {
    add(`If-Range with ${name} is a ${status}`, async ({ get }) => {
      const tag = fieldOf(await get(CSV), 'etag') ?? '';
      const headers = { range: 'bytes=0-9', 'if-range': field ?? tag };
      expect((await get(CSV, headers)).status).toBe(status);
    });
  }

  const preconditions: [
    fields: (tag: string) => Readonly<Record<string, string>>,
    name: string,
    status: 200 | 304 | 412,
  ][] = [
    [(tag) => ({ 'if-none-match': tag }), 'If-None-Match with the tag', 304],
    [(tag) => ({ 'if-none-match': tag.slice(2) }), 'If-None-Match with the strong tag', 304],
    [(tag) => ({ 'if-none-match': `"a,b", ${tag}` }), 'If-None-Match with a list', 304],
    [() => ({ 'if-none-match': '*' }), 'If-None-Match *', 304],
    [() => ({ 'if-none-match': '"other"' }), 'If-None-Match with another tag', 200],
    [() => ({ 'if-modified-since': MODIFIED }), 'If-Modified-Since with the date', 304],
    [() => ({ 'if-modified-since': EARLIER }), 'If-Modified-Since with an earlier date', 200],
    [
      () => ({ 'if-none-match': '"other"', 'if-modified-since': MODIFIED }),
      'If-None-Match beside If-Modified-Since',
      200,
    ],
    [() => ({ 'if-match': '*' }), 'If-Match *', 200],
    [() => ({ 'if-match': '"other"' }), 'If-Match with another tag', 412],
    [(tag) => ({ 'if-match': tag }), 'If-Match with the weak tag', 412],
    [() => ({ 'if-unmodified-since': MODIFIED }), 'If-Unmodified-Since with the date', 200],
    [() => ({ 'if-unmodified-since': EARLIER }), 'If-Unmodified-Since with an earlier date', 412],
    [() => ({ 'if-match': '"other"', range: 'bytes=0-9' }), 'If-Match beside Range', 412],
    [() => ({ 'if-none-match': '*', range: 'bytes=0-9' }), 'If-None-Match beside Range', 304],
  ];
  for (const [fields, name, status] of preconditions) {
    add(`${name} of a large file is a ${status}`, async ({ get, request }) => {
      const whole = await get(CSV);
      const headers = fields(fieldOf(whole, 'etag') ?? '');
      for (const method of ['GET', 'HEAD']) {
        const response = await request({ method, target: CSV, headers });
        expect(response.status, method).toBe(status);
        if (status !== 304) continue;
        expect(response.body).toHaveLength(0);
        expect(fieldOf(response, 'etag')).toBe(fieldOf(whole, 'etag'));
        expect(fieldOf(response, 'content-type')).toBeUndefined();
      }
    });
  }

  add(
    'a status that middleware has chosen stays, and the large file is whole',
    async ({ get, site }) => {
      for (const headers of [{}, { range: 'bytes=0-9' }, { 'if-none-match': '*' }]) {
        const response = await get(CSV, { ...headers, 'x-fixture': 'unavailable' });
        expect(response.status).toBe(503);
        expect(response.body.equals(site.read('assets/prices.csv'))).toBe(true);
      }
    },
    { afterMiddleware: true },
  );

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
      const tag = fieldOf(await t.get(CSV), 'etag');
      await withContent(t.site, content, async () => {
        const response = await t.get(CSV);
        expectWholeFile(response, content);
        expect(fieldOf(response, 'etag')).not.toBe(tag);
        const size = content.length;
        const beyond = await t.get(CSV, { range: 'bytes=1000-' });
        if (size > 1000) return expectPartOf(beyond, content, 1000, size - 1);
        expect(beyond.status).toBe(416);
        expect(fieldOf(beyond, 'content-range')).toBe(`bytes */${size}`);
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
    { ...wire, profile: 'no codings' },
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
    { ...wire, profile: 'no codings' },
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

  add(
    'a malformed host gets no large file',
    async ({ get }) => {
      expect((await get(CSV, { host: '127.0.0.1#' })).status).toBe(400);
    },
    { wire: true },
  );
});

function expectWholeFile(response: ClientResponse, bytes: Buffer): void {
  expect(response.status).toBe(200);
  expect(response.body.equals(bytes)).toBe(true);
  expect(fieldOf(response, 'content-length')).toBe(String(bytes.length));
}

function expectPartOf(response: ClientResponse, bytes: Buffer, first: number, last: number): void {
  expect(response.status).toBe(206);
  expect(response.body.equals(bytes.subarray(first, last + 1))).toBe(true);
  expect(fieldOf(response, 'content-range')).toBe(`bytes ${first}-${last}/${bytes.length}`);
  expect(fieldOf(response, 'content-length')).toBe(String(last + 1 - first));
}

/** Runs a part of a case while the file of prices has another content. */
export async function withContent(
  site: FixtureSite,
  content: Buffer,
  run: (path: string) => Promise<void>,
): Promise<void> {
  const path = join(site.browserFolder, CSV);
  try {
    await writeFile(path, content);
    await utimes(path, CHANGED_TIME, CHANGED_TIME);
    await run(path);
  } finally {
    await writeFile(path, site.read('assets/prices.csv'));
    await utimes(path, FIXTURE_TIME, FIXTURE_TIME);
  }
}

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
