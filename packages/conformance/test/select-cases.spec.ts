import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { conformanceCases } from '../src/cases/index.ts';
import type { ConformanceCase } from '../src/conformance-case.ts';
import { selectCases } from '../src/select-cases.ts';

const RUNS = [
  ...['koa', 'express', 'fastify', 'h3', 'fetch', 'polka', 'node-h2', 'node-socket-hits', 'bun'],
];
const groupOf = ({ name }: ConformanceCase): string => name.split(' › ')[0]!;
const namesOf = (cases: readonly ConformanceCase[]): string[] => cases.map(({ name }) => name);

const shortRun = (name: string) => ({ name, isReference: undefined, isShort: true });

describe('a short run', () => {
  it.each(RUNS)('of %s has every case of the adapter, and one of the core per group', (run) => {
    const { chosen, left } = selectCases(conformanceCases, shortRun(run));
    const ofAdapter = conformanceCases.filter(({ core }) => !core);
    expect(namesOf(chosen)).toEqual(expect.arrayContaining(namesOf(ofAdapter)));
    const groups = new Set(conformanceCases.filter(({ core }) => core).map(groupOf));
    const ofCore = chosen.filter(({ core }) => core).map(groupOf);
    expect(ofCore).toHaveLength(groups.size);
    expect(new Set(ofCore)).toEqual(groups);
    expect(new Set([...chosen, ...left])).toEqual(new Set(conformanceCases));
    expect(chosen.length + left.length).toBe(conformanceCases.length);
  });

  it('has the same cases each time, in their order, and others on another adapter', () => {
    const [koa, again, express] = ['koa', 'koa', 'express'].map((run) =>
      namesOf(selectCases(conformanceCases, shortRun(run)).chosen),
    );
    expect(again).toEqual(koa);
    expect(express).not.toEqual(koa);
    const order = namesOf(conformanceCases);
    expect(koa).toEqual(order.filter((name) => koa!.includes(name)));
  });

  it('has at least one case of each group', () => {
    const { chosen } = selectCases(conformanceCases, shortRun('koa'));
    expect(new Set(chosen.map(groupOf))).toEqual(new Set(conformanceCases.map(groupOf)));
  });
});

describe('a short run of a variant', () => {
  it.each(['node, render threads', 'koa-h2'])('of %s has a quarter of each group', (run) => {
    const { chosen, left } = selectCases(conformanceCases, { ...shortRun(run), isVariant: true });
    expect(new Set(chosen.map(groupOf))).toEqual(new Set(conformanceCases.map(groupOf)));
    expect(new Set([...chosen, ...left])).toEqual(new Set(conformanceCases));
    for (const group of new Set(conformanceCases.map(groupOf))) {
      const ofAdapter = (cases: readonly ConformanceCase[]): number =>
        cases.filter((each) => !each.core && groupOf(each) === group).length;
      const quarter = ofAdapter(conformanceCases) / 4;
      expect([Math.floor(quarter), Math.ceil(quarter)]).toContain(ofAdapter(chosen));
    }
  });
});

it.each([
  ['a reference in a short run', { isReference: true, isShort: true }],
  ['a suite in a run of everything', { isReference: undefined, isShort: false }],
])('%s has every case', (_, run) => {
  const { chosen, left } = selectCases(conformanceCases, { name: 'koa', ...run });
  expect(chosen).toEqual(conformanceCases);
  expect(left).toEqual([]);
});

// Without them no short run would execute the cases of the core.
it.each(['node/test/conformance.spec.ts', 'fetch/test/conformance-hono.spec.ts'])(
  '%s is a reference',
  async (path) => {
    const spec = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8');
    expect(spec).toContain('isReference: true,');
  },
);

it('leaves less than half of all cases to the core', () => {
  const ofCore = conformanceCases.filter(({ core }) => core);
  expect(ofCore.length).toBeGreaterThan(0);
  expect(ofCore.length).toBeLessThan(conformanceCases.length / 2);
});
