import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, expect, it } from 'vitest';
import { takeTurns, toRows } from '../src/measure/compare-sides.ts';
import { isSamePage } from '../src/measure/page-likeness.ts';

const folder = mkdtempSync(join(tmpdir(), 'bench-sides-'));
afterAll(() => rmSync(folder, { recursive: true }));

function side(name: string, render: string): { name: string; module: string } {
  const module = join(folder, `${name}.mjs`);
  writeFileSync(module, `export const render = ${render};`);
  return { name, module };
}

const order = { path: '/', rounds: 5, turnMs: 10, warmMs: 10, concurrency: 2, seed: 1 };
const comparison = { scenario: 's', work: 'w', isLike: isSamePage };

it('measures each side in each round, and its ratio to the first', async () => {
  const spin = (times: number): string =>
    `async () => { let x = 0; for (let i = 0; i < ${times}; i++) x += Math.sqrt(i); return Buffer.from('<p>' + (x > 0)); }`;
  const sides = [side('once', spin(2e5)), side('ten times', spin(2e6))];
  const found = await takeTurns({ ...order, sides });
  expect(found.map(({ name, turns }) => [name, turns.length])).toEqual([
    ['once', 5],
    ['ten times', 5],
  ]);
  const [first, second] = toRows(found, comparison);
  expect(first).toMatchObject({
    id: 's/w/once',
    ratio: { median: 1, lower: 1, upper: 1 },
    bytes: 7,
  });
  expect(second!.ratio!.median).toBeGreaterThan(2);
  expect(second!.cpuUs!.median).toBeGreaterThan(second!.cpuUs!.min / 2);
});

it('has no rows when a side renders another page', async () => {
  const page = (html: string): string => `async () => Buffer.from('${html}')`;
  const sides = [side('a', page('<p>1</p>')), side('b', page('<p>2</p>'))];
  const found = await takeTurns({ ...order, sides });
  expect(() => toRows(found, comparison)).toThrow(/^s\/w\/b is another page: it differs at 3/);
});

it('fails with what the program said', async () => {
  const sides = [side('broken', `async () => { throw new Error('no page') }`)];
  await expect(takeTurns({ ...order, sides })).rejects.toThrow(/no page/);
});
