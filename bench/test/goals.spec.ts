import { expect, it } from 'vitest';
import { checkGoals, type Goal } from '../src/report/goals.ts';
import type { Results } from '../src/report/results.ts';

const spread = (median: number) => ({ median, min: median, max: median });
const row = (server: string, median: number) => ({
  ...{ id: `s/w/${server}`, scenario: 's', work: 'w', server, value: spread(median), unit: 'ms' },
});
const ratio = { median: 1.8, lower: 1.7, upper: 1.9 };
const results = { rows: [row('a', 30), { ...row('b', 60), ratio }] } as unknown as Results;

it.each<[string, Goal, number | undefined, string]>([
  ['a bound in the unit of a row', { name: 'g', of: ['s/w/b'], atMost: 60 }, 60, 'met'],
  ['the same, passed', { name: 'g', of: ['s/w/b'], atMost: 59 }, 60, 'missed'],
  ['a ratio', { name: 'g', of: ['s/w/b'], to: 's/w/a', atMost: 1.9 }, 2, 'missed'],
  ['a ratio from below', { name: 'g', of: ['s/w/b'], to: 's/w/a', atLeast: 2 }, 2, 'met'],
  ['a family', { name: 'g', of: ['s/w/a', 's/w/b'], flat: true, atMost: 2 }, 2, 'met'],
  ['a ratio of rounds', { name: 'g', of: ['s/w/b'], ratio: true, atMost: 1.9 }, 1.8, 'met'],
  [
    'a ratio that is not there',
    { name: 'g', of: ['s/w/a'], ratio: true, atMost: 9 },
    undefined,
    'not measured',
  ],
  ['a row that is not there', { name: 'g', of: ['s/w/c'], atMost: 1 }, undefined, 'not measured'],
  [
    'a measure that is not there',
    { name: 'g', of: ['s/w/a'], to: 's/w/c', atMost: 1 },
    undefined,
    'not measured',
  ],
])('%s', (_name, goal, measured, verdict) => {
  expect(checkGoals([goal], results)).toMatchObject([{ name: 'g', measured, verdict }]);
});

it('names each row of a goal of several', () => {
  const outcomes = checkGoals([{ name: 'g', of: ['s/w/a', 's/w/b'], atMost: 50 }], results);
  expect(outcomes).toMatchObject([
    { name: 'g: a', measured: 30, verdict: 'met' },
    { name: 'g: b', measured: 60, verdict: 'missed' },
  ]);
});
