import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { formatResult, readResults, writeResult } from '../src/results/results.ts';
import type { SuiteResult } from '../src/results/results.ts';
import { compareTranscripts, recordResponse } from '../src/results/transcript.ts';

const response = (status: number, body: string, date = 'now') => ({
  status,
  headers: [
    ['X-B', '2'],
    ['Date', date],
    ['Connection', 'close'],
    ['ETag', '"a"'],
  ] as const,
  body: Buffer.from(body),
});

it('reduces a response to what adapters share', () => {
  const record = recordResponse(response(200, 'x'));
  expect(record.headers).toEqual(['etag: "a"', 'x-b: 2']);
  expect(record).toEqual(recordResponse(response(200, 'x', 'later')));
});

it('passes over the seconds of stored pages, and over no other part of them', () => {
  const stored = (age: string, status: string) =>
    recordResponse({
      ...response(200, 'x'),
      headers: [
        ['Age', age],
        ['Cache-Status', status],
      ],
    });
  const record = stored('0', 'ng-ssr; hit; ttl=60');
  expect(record).toEqual(stored('1', 'ng-ssr; hit; ttl=59'));
  expect(record).not.toEqual(stored('x', 'ng-ssr; hit; ttl=60'));
  expect(record).not.toEqual(stored('0', 'ng-ssr; hit; ttl=-1'));
  expect(record).not.toEqual(stored('0', 'ng-ssr; fwd=uri-miss; stored'));
});

it('finds the responses in which transcripts differ', () => {
  const [one, two] = [recordResponse(response(200, 'x')), recordResponse(response(200, 'y'))];
  const reference = { same: [one], other: [one, two], onlyHere: [one] };
  expect(compareTranscripts(reference, { same: [one], other: [one, one] })).toEqual([
    { case: 'other', index: 1, reference: two, other: one },
  ]);
  expect(compareTranscripts(reference, { same: [one, two] })).toEqual([
    { case: 'same', index: 1, reference: undefined, other: two },
  ]);
});

it('writes, reads and prints runs', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'ng-ssr-results-'));
  const node: SuiteResult = {
    name: 'node',
    run: 'after-middleware',
    outcomes: { a: 'passed', b: 'passed', c: 'expected failure' },
    transcript: { a: [] },
  };
  const koa: SuiteResult = {
    ...node,
    name: 'koa',
    run: 'before-middleware',
    outcomes: { a: 'failed' },
  };
  await writeResult(join(folder, 'new'), node);
  await writeResult(join(folder, 'new'), koa);
  const results = await readResults(join(folder, 'new'));
  expect(results).toEqual([koa, node]);
  expect(formatResult(node)).toBe(
    'conformance node/after-middleware: 2 of 3 passed, 1 expected failure',
  );
  expect(formatResult(koa)).toBe('conformance koa/before-middleware: 0 of 1 passed, 1 failed');
  expect(formatResult({ ...koa, notRun: ['b', 'c'] })).toBe(
    'conformance koa/before-middleware: 0 of 1 passed, 1 failed, a short run of 1 of 3 cases',
  );
  await rm(folder, { recursive: true });
});
