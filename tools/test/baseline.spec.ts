import type { WireTurn } from '@ng-ssr/conformance/results';
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { codeFigures } from '../baseline/code-figures.ts';
import { compareFigures, flatten, slowerHits } from '../baseline/compare-figures.ts';
import { compareTranscripts } from '../baseline/compare-transcripts.ts';
import { formatTranscript } from '../baseline/format-transcript.ts';
import { optionFigures } from '../baseline/option-figures.ts';
import { formatFigures, formatTranscripts } from '../baseline/report.ts';
import { seamFigures } from '../baseline/seam-figures.ts';
import type { SourceFile } from '../baseline/source-files.ts';
import { toStableText } from '../baseline/stable-text.ts';

const NOW = Date.parse('Wed, 25 Nov 2026 06:00:00 GMT');

test.each([
  ['Wed, 25 Nov 2026 05:59:01 GMT', '<date>'],
  ['Thu, 01 Jan 2015 00:00:00 GMT', 'Thu, 01 Jan 2015 00:00:00 GMT'],
  [`{"now":${NOW - 5000}}`, '{"now":<time>}'],
  ['{"now":1420070400000}', '{"now":1420070400000}'],
  ['host: shop.example:46331', 'host: shop.example:<port>'],
  ['host: [::1]:46331', 'host: [::1]:<port>'],
  ['host: ports.example:8443', 'host: ports.example:8443'],
  ['host: shop.example:65536', 'host: shop.example:65536'],
  [`ng-ssr-inspector=${NOW}.Xl31-_; Path=/`, 'ng-ssr-inspector=<session>; Path=/'],
])('of %s two runs have %s', (text, stable) => {
  expect(toStableText(text, NOW)).toBe(stable);
});

interface Sent {
  readonly target: string;
  readonly method?: string;
  readonly headers?: WireTurn['received'][number]['headers'];
  readonly body?: string;
}

/** A transcript of one case with these requests, each of which has one response. */
function transcriptOf(requests: readonly Sent[], name = 'files › one'): string {
  const bodies: Record<string, string> = {};
  const turns = requests.map(({ target, method = 'GET', headers = [], body = '' }) => {
    const digest = createHash('sha256').update(body).digest('hex');
    bodies[digest] = Buffer.from(body).toString('base64');
    const sent = [`${method} ${target} HTTP/1.1\r\nhost: shop.example\r\n\r\n`];
    return { sent, received: [{ status: 200, headers, body: digest }] };
  });
  return formatTranscript({ cases: { [name]: turns }, bodies }, NOW);
}

test('seconds of the clock and volatile bodies are equal in two runs, with their tags and lengths', () => {
  const run = (seconds: number): string =>
    transcriptOf([
      {
        target: '/api/time',
        headers: [
          ['ETag', `"${seconds}"`],
          ['Age', String(seconds)],
          ['Cache-Status', `ng-ssr; hit; ttl=${60 - seconds}`],
          ['Date', new Date(NOW + seconds * 1000).toUTCString()],
        ],
        body: `{"now":${NOW + seconds}}`,
      },
      { target: '/api/time', method: 'HEAD', headers: [['ETag', `"head-${seconds}"`]] },
    ]);
  expect(run(1)).toBe(run(20));
  expect(run(1)).toContain('< Cache-Status: ng-ssr; hit; ttl=<seconds>\n');
});

test('everything else makes a difference: order, spelling, bytes', () => {
  const page = { target: '/', headers: [['ETag', '"a"']] as const, body: 'page' };
  const all = [
    page,
    { ...page, headers: [['etag', '"a"']] as const },
    { ...page, headers: [['ETag', '"b"']] as const },
    { ...page, body: 'Page' },
    { ...page, target: '/?' },
    { ...page, headers: [...page.headers, ['Age', '0']] as const },
    { ...page, headers: [['Age', '0'], ...page.headers] as const },
    { ...page, headers: [['Cache-Status', 'ng-ssr; hit; ttl=-1']] as const },
    { ...page, headers: [['Cache-Status', 'ng-ssr; hit; ttl=1']] as const },
  ];
  expect(new Set(all.map((each) => transcriptOf([each]))).size).toBe(all.length);
});

test('how often a case asks until a page is compressed makes none, but a miss before a hit does', () => {
  const with_ = (encoding: string, status: string): Sent => ({
    target: '/stored',
    headers: [
      ['Content-Encoding', encoding],
      ['Cache-Status', status],
    ],
    body: encoding,
  });
  const [plain, encoded, miss] = [with_('', 'hit'), with_('br', 'hit'), with_('', 'miss')];
  expect(transcriptOf([miss, plain, plain, encoded])).toBe(transcriptOf([miss, encoded]));
  expect(transcriptOf([miss, encoded])).not.toBe(transcriptOf([encoded]));
  const other = { ...encoded, target: '/other' };
  expect(transcriptOf([plain, other, encoded])).not.toBe(transcriptOf([other, encoded]));
});

test('transcripts are compared by case: changed, missing and new ones', () => {
  const before = '## a\n> GET /\n< 200\n\n## b\n< 200\n< one\n< two\n\n## c\n< 404\n';
  const now = '## a\n> GET /\n< 200\n\n## b\n< 200\n< 1\n< two\n\n## d\n< 204\n';
  const difference = compareTranscripts(before, now);
  expect(difference).toEqual({
    changed: [
      { name: 'b', before: ['< one'], now: ['< 1'] },
      { name: 'c', before: ['< 404'], now: [] },
    ],
    added: ['d'],
  });
  expect(formatTranscripts('node.txt', difference)).toBe(
    'node.txt: 2 cases differ, 1 are new\n' +
      '  b\n    - < one\n    + < 1\n  c\n    - < 404\n  new: d',
  );
  expect(compareTranscripts(before, before)).toEqual({ changed: [], added: [] });
});

test('figures that differ have a row with their ratio, memory only beyond its spread', () => {
  const before = { a: 10, b: 4, 'memory after start/KiB': 1000 };
  const now = { a: 15, c: 0, 'memory after start/KiB': 1015 };
  const text = formatFigures(compareFigures(before, now));
  expect(text.split('\n').map((row) => row.split(/ {2,}/))).toEqual([
    ['figure', 'before', 'now', 'ratio'],
    ['a', '10', '15', '1.500'],
    ['c', '-', '0', '-'],
    ['b', '4', '-', '-'],
  ]);
  expect(compareFigures(before, { ...before, 'memory after start/KiB': 1030 })).toHaveLength(1);
});

test('a hit may not make more calls, other journeys and figures may', () => {
  const traces = (calls: number, files: number) => ({
    hit: { node: { calls, files, moves: 0, returns: 0, reads: 0 } },
    miss: { node: { calls, files, moves: 0, returns: 0, reads: 0 } },
  });
  const slower = (before: ReturnType<typeof traces>, now: ReturnType<typeof traces>) =>
    slowerHits(compareFigures(flatten(before), flatten(now)), ['hit']).map(({ name }) => name);
  expect(slower(traces(10, 5), traces(11, 5))).toEqual(['hit/node/calls']);
  expect(slower(traces(10, 5), traces(9, 6))).toEqual([]);
});

test('figures of the code are counts of lines, files, importers, imports and members', () => {
  const file = (path: string, text: string): SourceFile => ({
    package: 'core',
    path,
    text,
    lines: text.split('\n').length - 1,
  });
  const long = '//\n'.repeat(30);
  const files = [
    file('handler/compose.ts', `import '../a.ts';\nimport type { B } from './b.ts';\n${long}`),
    file('handler/b.ts', "import { readFile } from 'node:fs';\nexport interface B {}\n"),
    file('a.ts', 'export interface PathParts { readonly one: 1; two(): void }\n'),
    file('index.ts', "export * from './a.ts';\n"),
  ];
  expect(codeFigures(files)).toMatchObject({
    'lines/core': 36,
    'lines/core/handler': 34,
    'files/core/root': 2,
    'files under 25 lines/core': 3,
    'single importer/core': 1,
    'node: imports/core': 1,
  });
  expect(seamFigures(files)).toEqual({
    'imports of compose.ts': 2,
    'lines of compose.ts': 32,
    'members of PathParts': 2,
  });
  expect(seamFigures([])).toEqual({});
  const page = '# Options\n\n## Server\n\n### `a`\n\n#### <a id="a-b"></a>`a.b`\n\n## Notes\n';
  expect(optionFigures(page)).toEqual({ options: 2, 'options/Server': 2 });
});
