import { expect, test } from 'vitest';
import { chooseScenarios, describeLeftOut, QUICK_MS, QuickTime } from '../src/scenarios/choose.ts';
import { hitEntries } from '../src/scenarios/hits.ts';
import { scenarios } from '../src/scenarios/index.ts';
import type { Scenario } from '../src/scenarios/scenario.ts';

const namesOf = (of: readonly Scenario[]): readonly string[] => of.map(({ name }) => name);
const quick = chooseScenarios(scenarios, { only: undefined, isQuick: true });

/** Of a scenario that only has a name. */
const ofSeconds = (name: string, seconds: number, isCpuBound = false): Scenario => {
  return { name, title: name, quick: { seconds, isCpuBound }, run: () => Promise.resolve([]) };
};

test('a quick run has each kind of response, renders and calls', () => {
  expect(namesOf(quick.chosen)).toEqual(
    expect.arrayContaining(['hits', 'stored', 'miss', 'calls', 'render']),
  );
  const bytes = Buffer.from('page');
  const built = { page: bytes, commonPage: bytes, script: 'main.js', scriptBytes: bytes };
  const entries = hitEntries(built, true);
  expect([...new Set(entries.map(({ work }) => work))]).toEqual(['page', '304', 'br']);
  const pages = entries.filter(({ work }) => work === 'page');
  expect(pages.map(({ contestant }) => contestant.name)).toEqual(
    expect.arrayContaining([
      ...['node', 'koa', 'fastify', 'express'].map((adapter) => `ng-ssr ${adapter}`),
      ...['Angular scaffold', 'limit node:http'],
    ]),
  );
});

test('a quick run leaves a tenth of its two minutes for a busy machine', () => {
  const seconds = quick.chosen.reduce((sum, scenario) => sum + scenario.quick!.seconds, 0);
  expect(seconds * 1000).toBeLessThanOrEqual(0.9 * QUICK_MS);
});

test('says what a quick run leaves out', () => {
  expect([...quick.chosen, ...quick.leftOut]).toHaveLength(scenarios.length);
  const [first, ...parts] = describeLeftOut(quick, []);
  for (const { name } of quick.leftOut) expect(first).toContain(name);
  expect(parts).toContain('  miss: adapters other than node');
  const late = quick.chosen.filter(({ name }) => name === 'miss' || name === 'micro');
  const lines = describeLeftOut(quick, late);
  expect(lines).toContain('There was no time for miss, micro.');
  expect(lines).not.toContain('  miss: adapters other than node');
});

test('--only chooses among all, quick or not', () => {
  for (const isQuick of [false, true]) {
    const { chosen } = chooseScenarios(scenarios, { only: '^(hits|timeline)$', isQuick });
    expect(namesOf(chosen)).toEqual(['hits', 'timeline']);
  }
  const whole = chooseScenarios(scenarios, { only: undefined, isQuick: false });
  expect(whole.chosen).toEqual(scenarios);
  expect(whole.leftOut).toEqual([]);
});

test('on a machine that is three times as slow, a quick run still ends in time', () => {
  let nowMs = 0;
  const time = new QuickTime(0, () => nowMs);
  nowMs = 9000;
  const run: string[] = [];
  for (const scenario of [ofSeconds('a', 20), ofSeconds('b', 30), ofSeconds('c', 10)]) {
    if (!time.hasTimeFor(scenario)) continue;
    run.push(scenario.name);
    nowMs += 3 * scenario.quick!.seconds * 1000;
  }
  expect(run).toEqual(['a', 'c']);
  expect(nowMs).toBeLessThanOrEqual(QUICK_MS);
});

test('a scenario that is left out does not change the pace', () => {
  let nowMs = 0;
  const time = new QuickTime(0, () => nowMs);
  expect(time.hasTimeFor(ofSeconds('a', 50))).toBe(true);
  nowMs = 50_000;
  // The report has its time, too.
  expect(time.hasTimeFor(ofSeconds('b', 70))).toBe(false);
  expect(time.hasTimeFor(ofSeconds('c', 60))).toBe(true);
  nowMs = 115_000;
  expect(time.hasTimeFor(ofSeconds('d', 1))).toBe(false);
});

test('a scenario that computes all the time is slowed by other work', () => {
  const at = (load: number): QuickTime =>
    new QuickTime(
      0,
      () => 60_000,
      () => load,
    );
  expect(at(0.5).hasTimeFor(ofSeconds('a', 20, true))).toBe(true);
  expect(at(2).hasTimeFor(ofSeconds('a', 20, true))).toBe(true);
  expect(at(3).hasTimeFor(ofSeconds('a', 20, true))).toBe(false);
  expect(at(3).hasTimeFor(ofSeconds('a', 20))).toBe(true);
});
