import { expect, it } from 'vitest';
import { compileFramework, FRAMEWORKS } from '../src/frameworks/compile.ts';
import { spiralTiles } from '../src/frameworks/spiral-tiles.ts';
import { tableRows } from '../src/frameworks/table-rows.ts';
import { takeTurns } from '../src/measure/compare-sides.ts';
import { looksTheSame, visibleOf } from '../src/measure/page-likeness.ts';

const order = { rounds: 1, turnMs: 1, warmMs: 0, concurrency: 1, seed: 1 };
const count = (page: string, tag: string): number => page.split(`<${tag}|`).length - 1;

it.each([
  ['/table', /<table/, 'td', 2000],
  ['/spiral', /<div[^>]* id="wrapper"/, 'div', 2399],
])('all frameworks render the same %s', async (path, root, tag, elements) => {
  const sides = FRAMEWORKS.map((name) => ({ name, module: compileFramework(name) }));
  const [first, ...others] = await takeTurns({ ...order, sides, path });
  expect(count(visibleOf(first!.first, root), tag)).toBe(elements);
  for (const { name, first: page, last } of others) {
    expect(looksTheSame(root)(first!.first, page), name).toBeUndefined();
    expect(looksTheSame(root)(first!.first, last), name).toBeUndefined();
  }
});

it('has the data of the tasks', () => {
  expect(spiralTiles()).toHaveLength(2398);
  expect(tableRows).toHaveLength(1000);
  const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-a[0-9a-f]{3}-[0-9a-f]{12}$/;
  for (const { id, name } of tableRows) {
    expect(id).toMatch(uuid);
    expect(name).toMatch(uuid);
  }
});
