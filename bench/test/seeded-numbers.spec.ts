import { expect, it } from 'vitest';
import { numbersFrom, shuffled } from '../src/measure/seeded-numbers.ts';

it('gives the same numbers for a seed, and others for another', () => {
  const take = (seed: number): number[] => Array.from({ length: 5 }, numbersFrom(seed));
  expect(take(1)).toEqual(take(1));
  expect(take(1)).not.toEqual(take(2));
  expect(take(1).every((number) => Number.isInteger(number) && number >= 0)).toBe(true);
});

it('puts every item at every place', () => {
  const next = numbersFrom(3);
  const orders = new Set(
    Array.from({ length: 200 }, () => shuffled(['a', 'b', 'c'], next).join('')),
  );
  expect([...orders].sort()).toEqual(['abc', 'acb', 'bac', 'bca', 'cab', 'cba']);
});
