import { numbersFrom } from '../measure/seeded-numbers.ts';

/** A row of the table. */
export interface Entry {
  readonly id: string;
  readonly name: string;
}

const SEED = 20_261_122;

function uuid(next: () => number): string {
  const digits = Array.from({ length: 4 }, () => next().toString(16).padStart(8, '0')).join('');
  return digits.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-a$4-$5');
}

/** The data of eknkc/ssr-benchmark: a thousand rows of two UUIDs, made of a seed here. */
export const tableRows: readonly Entry[] = createRows(numbersFrom(SEED));

function createRows(next: () => number): readonly Entry[] {
  return Array.from({ length: 1000 }, () => ({ id: uuid(next), name: uuid(next) }));
}
