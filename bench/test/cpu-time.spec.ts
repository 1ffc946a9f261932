import { expect, it } from 'vitest';
import { cpuBetween, type CpuReading, readCpu } from '../src/measure/cpu-time.ts';

const reading = (threads: Record<string, number>, ticksUs = 0): CpuReading => ({
  threads: new Map(Object.entries(threads)),
  ticksUs,
});

it.each([
  ['all threads together', reading({ a: 1000, b: 0 }), reading({ a: 3000, b: 500 }), 2.5],
  ['a thread that has begun', reading({ a: 1000 }), reading({ a: 3000, b: 500 }), 2.5],
  ['ticks, where one has ended', reading({ a: 1, b: 1 }, 10), reading({ a: 2 }, 30_010), 30_000],
  ['ticks, without statistics', reading({}, 10), reading({}, 20_010), 20_000],
])('counts %s', (_name, before, after, microseconds) => {
  expect(cpuBetween(before, after)).toBe(microseconds);
});

it('reads a process that works', () => {
  const before = readCpu(process.pid);
  const end = process.cpuUsage().user + 50_000;
  while (process.cpuUsage().user < end);
  expect(cpuBetween(before, readCpu(process.pid))).toBeGreaterThan(40_000);
});
