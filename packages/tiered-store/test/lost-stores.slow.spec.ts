import { rmSync } from 'node:fs';
import { beforeEach, expect, test, vi } from 'vitest';
import { says, type ServerProcess } from '../../conformance/test/processes/server-process.ts';
import { expectRight, FRESH, useFleet } from './fleet.ts';
import { POLL } from './machines.ts';

const fleet = useFleet();
let one: ServerProcess;
let other: ServerProcess;
let pages = 0;

beforeEach(async () => {
  one = await fleet().start('one', 200);
  other = await fleet().start('other', 200);
});

/** Until a page that one has rendered is found by the other. */
async function untilShared(): Promise<void> {
  await vi.waitFor(async () => {
    const path = `/shared/${pages++}`;
    expect(await expectRight(one, path)).toBe(one.pid);
    expect(await expectRight(other, path)).toBe(one.pid);
  }, POLL);
}

/** Pages from before and new ones, of both. */
async function expectPages(): Promise<void> {
  const from = Math.max(0, pages - 3);
  for (let at = from; at < from + 10; at++) {
    await expectRight(one, `/shared/${at}`);
    await expectRight(other, `/shared/${at}`);
  }
  pages = from + 10;
}

test.each(['refusing', 'cutting', 'damaging', 'forbidden', 'overloaded', 'holding'] as const)(
  'a bucket that is %s',
  async (weather) => {
    await untilShared();
    fleet().proxy.turn(weather);
    await expectPages();
    await vi.waitFor(async () => {
      await expectPages();
      const states = await Promise.all([one, other].map((server) => server.state()));
      const codes = states.flatMap(({ errors }) => errors);
      expect(codes).toContain('NG_SSR_STORE_UNAVAILABLE');
      expect(new Set(codes).size).toBe(1);
    }, POLL);
    if (weather === 'holding') fleet().proxy.release();
    else fleet().proxy.turn('fine');
    await untilShared();
  },
);

test('a bucket that takes two seconds', async () => {
  await untilShared();
  fleet().proxy.delayMs = 2_000;
  await expectPages();
  fleet().proxy.delayMs = 0;
  await untilShared();
});

test('the folders of bodies, and the objects', async () => {
  await untilShared();
  for (const folder of [
    fleet().place.path('one'),
    fleet().place.path('other'),
    fleet().s3.objects,
  ]) {
    rmSync(folder, { recursive: true, force: true });
    await expectPages();
    await untilShared();
  }
});

test('the index', async () => {
  await untilShared();
  for (const end of ['', '-wal', '-shm'])
    rmSync(fleet().place.path(`pages.db${end}`), { force: true });
  await expectPages();
  await untilShared();
});

test('a purge reaches the other machine, whose folder has the body still', async () => {
  await untilShared();
  const path = `/shared/${pages - 1}`;
  const first = await one.ask(says(path, FRESH));
  expect((await one.purge({ path, hard: true })).status).toBe(200);
  await vi.waitFor(async () => {
    const { page } = await other.ask(says(path, FRESH));
    expect([page.pid, page.render]).not.toEqual([first.page.pid, first.page.render]);
  }, POLL);
});
