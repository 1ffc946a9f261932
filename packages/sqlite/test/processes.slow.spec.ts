import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { says, ServerProcess } from '../../conformance/test/processes/server-process.ts';
import { StoreFile } from './store-file.ts';

const FRESH = { 'cache-control': 's-maxage=600' };
const POLL = { timeout: 30_000, interval: 20 };

describe('four processes with one file', () => {
  let file: StoreFile;
  let servers: readonly ServerProcess[] = [];

  beforeAll(async () => {
    file = new StoreFile();
    // Leases that would outlast every request.
    const sqlite = file.options({ leaseMs: 60_000 });
    servers = await Promise.all([1, 2, 3, 4].map(() => ServerProcess.start({ sqlite })));
    await untilShared();
  });
  afterAll(async () => {
    await Promise.all(servers.map((server) => server.kill()));
    await file.close();
  });

  /** Until a page that one has rendered is a hit in the others. */
  async function untilShared(): Promise<void> {
    let pages = 0;
    for (const renders of servers) {
      await vi.waitFor(async () => {
        const target = says(`/shared/${renders.pid}/${pages++}`, FRESH);
        await renders.ask(target);
        for (const finds of servers) {
          expect((await finds.ask(target)).page.pid).toBe(renders.pid);
        }
      }, POLL);
    }
  }

  test('render a page once, and none has an older one after a purge', async () => {
    const target = says('/held/page', FRESH);
    const asked = Array.from({ length: 200 }, (_, i) => servers[i % 4]!.ask(target));
    await vi.waitFor(async () => {
      const states = await Promise.all(servers.map((server) => server.state()));
      expect(states.reduce((sum, { held }) => sum + held, 0)).toBe(1);
    }, POLL);
    await Promise.all(servers.map((server) => server.release()));
    const answers = await Promise.all(asked);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    const states = await Promise.all(servers.map((server) => server.state('/held/page')));
    expect(states.reduce((sum, { renders }) => sum + renders, 0)).toBe(1);

    const purged = says('/purged', FRESH);
    const first = await servers[0]!.ask(purged);
    expect((await servers[3]!.purge({ path: '/purged', hard: true })).status).toBe(200);
    // Those without the page in memory ask the file, which has the purge; the memory of others learns of it soon.
    for (const server of servers.slice(1)) {
      expect((await server.ask(purged)).text).not.toBe(first.text);
    }
    await vi.waitFor(
      async () => expect((await servers[0]!.ask(purged)).text).not.toBe(first.text),
      POLL,
    );
  });

  test('a process that dies while it renders keeps no other waiting for long', async () => {
    const [one, other] = servers as [ServerProcess, ServerProcess];
    const target = says('/held/crash', FRESH);
    const first = expect(one.ask(target)).rejects.toThrow();
    await vi.waitFor(async () => expect((await one.state()).held).toBe(1), POLL);
    await one.kill();
    await first;
    const asked = other.ask(target);
    await vi.waitFor(async () => expect((await other.state()).held).toBe(1), POLL);
    await other.release();
    expect((await asked).status).toBe(200);
  });
});
