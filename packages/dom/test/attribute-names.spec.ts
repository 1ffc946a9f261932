import { expect, it } from 'vitest';
import { AttributeNames } from '../src/bytes/attribute-names.ts';

it('names of attributes are remembered after any number of names that count up', () => {
  const names = new AttributeNames(true);
  for (let n = 0; n < 5000; n++) names.of(`pc${n}`, true);
  expect(names.of('class', true)).toBe(names.of('class', true));
  expect(names.of('viewBox', false)).toBe(names.of('viewBox', false));
});
