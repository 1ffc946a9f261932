import { expect, it } from 'vitest';
import { checkGoals, type Goal, readGoals } from '../src/report/goals.ts';
import type { Results } from '../src/report/results.ts';

const spread = (median: number) => ({ median, min: median, max: median });
const row = (server: string, median: number) => ({
  ...{ id: `s/w/${server}`, scenario: 's', work: 'w', server, value: spread(median), unit: 'ms' },
});
const ratio = { median: 1.8, lower: 1.7, upper: 1.9 };
const fast = { ...row('fast', 20), requestsPerSecond: spread(1700) };
const slow = { ...row('slow', 20), requestsPerSecond: spread(1000) };
const results = {
  rows: [row('a', 30), { ...row('b', 60), ratio }, fast, slow],
} as unknown as Results;

it.each<[string, Goal, number | undefined, string]>([
  ['a bound in the unit of a row', { name: 'g', of: ['s/w/b'], atMost: 60 }, 60, 'met'],
  ['the same, passed', { name: 'g', of: ['s/w/b'], atMost: 59 }, 60, 'missed'],
  ['a ratio', { name: 'g', of: ['s/w/b'], to: 's/w/a', atMost: 1.9 }, 2, 'missed'],
  ['a ratio from below', { name: 'g', of: ['s/w/b'], to: 's/w/a', atLeast: 2 }, 2, 'met'],
  ['a family', { name: 'g', of: ['s/w/a', 's/w/b'], flat: true, atMost: 2 }, 2, 'met'],
  ['a ratio of rounds', { name: 'g', of: ['s/w/b'], ratio: true, atMost: 1.9 }, 1.8, 'met'],
  [
    'requests per second',
    { name: 'g', of: ['s/w/fast'], to: 's/w/slow', requests: true, atLeast: 1.6 },
    1.7,
    'met',
  ],
  [
    'requests per second that are not there',
    { name: 'g', of: ['s/w/a'], to: 's/w/slow', requests: true, atLeast: 1.6 },
    undefined,
    'not measured',
  ],
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

it('reads goals whose names are all different, and each has one bound', () => {
  const goals = readGoals();
  expect(new Set(goals.map(({ name }) => name)).size).toBe(goals.length);
  for (const { name, atMost, atLeast } of goals) {
    expect(
      [atMost, atLeast].filter((bound) => bound !== undefined),
      name,
    ).toHaveLength(1);
  }
});

it('bounds hits to a browser by the least of node:http, by nginx and by the scaffold', () => {
  const measures = (
    server: string,
  ): readonly (readonly [string | undefined, number | undefined])[] =>
    readGoals()
      .filter(({ of }) => of.includes(`browser/page/ng-ssr ${server}`))
      .map(({ to, atMost }) => [to, atMost]);
  const bounds = [
    ['browser/page/limit node:http', 0.55],
    ['browser/page/nginx gzip_static', 1],
    ['browser/page/nginx brotli_static', 1],
    ['browser/page/Angular scaffold', 0.1],
    ['browser/page/Angular scaffold + compression', 0.01],
  ];
  for (const adapter of ['node', 'koa', 'fastify', 'express']) {
    expect(measures(`${adapter} before-middleware`), adapter).toEqual(bounds);
  }
  expect(measures('node, no middleware')).toEqual(bounds);
});
