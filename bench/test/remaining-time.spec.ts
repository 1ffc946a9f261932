import { expect, test } from 'vitest';
import { RemainingTime, toDuration } from '../src/measure/remaining-time.ts';

const MINUTE = 60_000;

test('the time that is left is announced first, and then follows the pace of the steps', () => {
  let now = 0;
  const time = new RemainingTime(10, 10 * MINUTE, () => now);
  expect(String(time)).toBe('about 10 min left');
  now += MINUTE / 2;
  expect(String(time)).toBe('about 10 min left');
  now += MINUTE / 2;
  expect(String(time)).toBe('about 9 min left');
  // Each step takes three minutes, not one.
  for (let step = 1; step <= 8; step++) {
    now = step * 3 * MINUTE;
    time.step();
  }
  expect(String(time)).toBe('about 6 min left');
  now += 10 * MINUTE;
  expect(String(time)).toBe('about 3 min left');
  time.step();
  time.step();
  expect(String(time)).toBe('about 10 s left');
});

test.each([
  [0, '10 s'],
  [41_000, '50 s'],
  [119_000, '120 s'],
  [150_000, '3 min'],
])('%i ms are %s', (ms, text) => {
  expect(toDuration(ms)).toBe(text);
});
