import { expect, it } from 'vitest';
import { conformanceCases } from '../src/cases/index.ts';
import { KNOWN_DIFFERENCES } from '../src/results/known-differences.ts';
import { compareResults, formatParityReport } from '../src/results/parity.ts';
import type { SuiteResult } from '../src/results/results.ts';

const page = { status: 200, headers: ['etag: "a"', 'vary: Accept-Encoding'], body: 'a'.repeat(64) };
const node: SuiteResult = {
  name: 'node',
  run: 'after-middleware',
  outcomes: { 'pages › one': 'passed', 'pages › two': 'passed', 'pages › three': 'failed' },
  transcript: { 'pages › one': [page], 'pages › two': [page, page] },
};
const koa: SuiteResult = {
  ...node,
  name: 'koa',
  transcript: {
    'pages › one': [page],
    'pages › two': [page, { ...page, status: 500, headers: ['etag: "a"', 'x-late: 1'] }],
  },
};
const row = { names: ['koa'], cases: ['pages › two'], reason: 'a reason' };

it('lists what differs from node/after-middleware under the table', () => {
  const middleware: SuiteResult = { ...node, run: 'middleware', transcript: {} };
  const { text, isAlike } = formatParityReport(compareResults([koa, middleware, node], []));
  expect(isAlike).toBe(false);
  expect(text).toBe(
    'adapter  run               cases  passed  expected failures  failed  parity differences\n' +
      'koa      after-middleware  3      2       0                  1       1\n' +
      'node     middleware        3      2       0                  1       -\n' +
      'node     after-middleware  3      2       0                  1       -\n\n' +
      'koa/after-middleware differs from node/after-middleware in pages › two, response 2:\n' +
      '  - status 200\n' +
      '  - vary: Accept-Encoding\n' +
      '  + status 500\n' +
      '  + x-late: 1',
  );
});

it('passes over known differences, as long as they are true', () => {
  expect(formatParityReport(compareResults([koa, node], [row])).isAlike).toBe(true);
  const outdated = compareResults([koa, node], [row, { ...row, cases: /one/, reason: 'another' }]);
  const { text, isAlike } = formatParityReport(outdated);
  expect(isAlike).toBe(false);
  expect(text).toMatch(/koa\/after-middleware no longer differs: .*\(another\)$/);
  const elsewhere = [row, { ...row, names: ['other'] }, { ...row, cases: ['pages › not run'] }];
  expect(formatParityReport(compareResults([koa, node], elsewhere)).isAlike).toBe(true);
});

it('passes over known headers and the content, and nothing else', () => {
  const differing = ['etag'];
  const change = (headers: string[]): SuiteResult => ({
    ...koa,
    transcript: { 'pages › one': [{ ...page, headers, body: 'b'.repeat(64) }] },
  });
  const known = [{ ...row, cases: /^pages/, headers: differing }];
  const encoded = change(['etag: "b"', 'vary: Accept-Encoding']);
  expect(formatParityReport(compareResults([encoded, node], known)).isAlike).toBe(true);
  const other = change(['etag: "b"', 'vary: *']);
  expect(formatParityReport(compareResults([other, node], known)).isAlike).toBe(false);
  const same = { ...node, name: 'koa' };
  expect(formatParityReport(compareResults([same, node], known)).isAlike).toBe(true);
});

it('names the cases of a short run, and compares these alone', () => {
  const short = {
    ...koa,
    outcomes: { 'pages › one': 'passed' },
    transcript: { 'pages › one': [page] },
    notRun: ['pages › two', 'pages › three'],
  } as const;
  const rows = [row, { ...row, cases: /^pages/ }];
  const { text, isAlike } = formatParityReport(compareResults([short, node], rows));
  expect(isAlike).toBe(true);
  expect(text).toMatch(/^koa +after-middleware +1 of 3 +1 /m);
  // A row whose cases were all run is still compared.
  const outdated = [{ ...row, cases: ['pages › one'] }];
  expect(formatParityReport(compareResults([short, node], outdated)).isAlike).toBe(false);
});

it('compares nothing in a run without the reference', () => {
  const { text, isAlike } = formatParityReport(compareResults([koa]));
  expect(isAlike).toBe(true);
  expect(text.split('\n')).toHaveLength(2);
  expect(formatParityReport(compareResults([]))).toMatchObject({ isAlike: true });
});

it('prints a few differences of many', () => {
  const responses = Array.from({ length: 30 }, () => page);
  const failed = responses.map((response) => ({ ...response, status: 500 }));
  const all = { ...node, transcript: { 'pages › one': responses } };
  const none = { ...koa, transcript: { 'pages › one': failed } };
  const { text } = formatParityReport(compareResults([all, none], []));
  expect(text).toMatch(/differs from node\/after-middleware in 20 more responses$/);
});

it('knows differences of cases that there are', () => {
  const names = conformanceCases.map(({ name }) => name);
  for (const { cases } of KNOWN_DIFFERENCES) {
    if (cases instanceof RegExp) expect(names.some((name) => cases.test(name))).toBe(true);
    else expect(names).toEqual(expect.arrayContaining([...cases]));
  }
});
