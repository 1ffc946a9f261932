import { expect, it } from 'vitest';
import { weightOf } from '../../src/http/weight.ts';

it.each([
  [[], 1],
  [['q=0.5'], 0.5],
  [[' \tq=0.5\t '], 0.5],
  // RFC 9110 section 12.4.2: the parameters before `q` are of the member itself.
  [['level=1', 'q=0.5'], 0.5],
  [['level=1'], 1],
  [['', 'q=0.5', ''], 0.5],
  [['q=0.5', 'q=1'], 0.5],
  [['q=0'], 0],
  [['q=1.000'], 1],
  [['q=.5'], 0.5],
  [['q=00.5'], 0.5],
  [['q=0.0000001'], 0.0000001],
  [['qq=0'], 1],
  [['q'], 1],
  [['q =0'], 1],
  [['q= 1'], 0],
  [['q=1 0'], 0],
  [['q=1.1'], 0],
  [['q=1e-1'], 0],
  [[`q=0.${'1'.repeat(10_000)}`], 1 / 9],
  [[`q=${'9'.repeat(10_000)}`], 0],
])('RFC 9110 section 12.4.2: %j has the weight %s', (parameters, weight) => {
  expect(weightOf(parameters)).toBe(weight);
});
