// What an entity tag costs: `node bench/src/entity-tags.ts`, after a build.
//
// Every contender runs in each round, in turn, so that a noisy machine treats them alike. The table
// gives the best and the median round in microseconds per call.
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { crc32 } from 'node:zlib';

import { entityTag, implementation } from '@ng-ssr/etag';
import { entityTag as twin } from '@ng-ssr/etag/twin';

const etag = createRequire(import.meta.url)('etag') as (body: Buffer | string) => string;

const ROUNDS = 15;
const ROUND_MS = 4;
const PAGE_BYTES = 68 * 1024;
const SIZES = [16, 256, 4096, PAGE_BYTES, 1024 * 1024];

interface Timing {
  best: number;
  median: number;
}

let sink = 0;

function timeRound(call: () => unknown, calls: number): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) sink += call() === undefined ? 0 : 1;
  return Number(process.hrtime.bigint() - start) / 1000 / calls;
}

function measure(contenders: Record<string, () => unknown>): Record<string, Timing> {
  const runs = Object.entries(contenders).map(([name, call]) => {
    timeRound(call, 200);
    const calls = Math.max(20, Math.ceil((ROUND_MS * 1000) / timeRound(call, 50)));
    return { name, call, calls, times: [] as number[] };
  });
  for (let round = 0; round < ROUNDS; round++) {
    for (const { call, calls, times } of runs) times.push(timeRound(call, calls));
  }
  return Object.fromEntries(
    runs.map(({ name, times }) => {
      times.sort((a, b) => a - b);
      return [name, { best: times[0]!, median: times[ROUNDS >> 1]! }];
    }),
  );
}

/** Looks like a page: ASCII with line ends. */
function createPage(bytes: number): Buffer {
  const page = Buffer.allocUnsafeSlow(bytes);
  for (let i = 0; i < bytes; i++) page[i] = i % 80 === 79 ? 10 : 32 + ((i * 7 + (i % 13)) % 90);
  return page;
}

const show = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.versions.node}`);
if (implementation === 'js') console.log('The addon is not in use: "native" is the twin.');

const rows: Record<string, Record<string, string>> = {};
let page: Record<string, Timing> = {};
let pageString: Record<string, Timing> = {};
for (const size of SIZES) {
  const bytes = createPage(size);
  const text = bytes.toString('latin1');
  // One character outside Latin-1, as in most pages: V8 then holds two bytes per character.
  const wide = `${text.slice(1)}€`;
  const target = Buffer.allocUnsafeSlow(size);
  const inputs: Record<string, Record<string, () => unknown>> = {
    Buffer: {
      etag: () => etag(bytes),
      crc32: () => crc32(bytes),
      native: () => entityTag(bytes),
      twin: () => twin(bytes),
      memcpy: () => bytes.copy(target),
    },
    string: {
      etag: () => etag(text),
      crc32: () => crc32(text),
      native: () => entityTag(text),
      twin: () => twin(text),
    },
    'wide string': {
      etag: () => etag(wide),
      crc32: () => crc32(wide),
      native: () => entityTag(wide),
      twin: () => twin(wide),
    },
  };
  for (const [kind, contenders] of Object.entries(inputs)) {
    const timings = measure(contenders);
    if (size === PAGE_BYTES && kind === 'Buffer') page = timings;
    if (size === PAGE_BYTES && kind === 'string') pageString = timings;
    rows[`${size < 1024 ? `${size} B` : `${size / 1024} KiB`} ${kind}`] = Object.fromEntries(
      Object.entries(timings).map(([name, { best, median }]) => [
        name,
        `${show(best)} / ${show(median)}`,
      ]),
    );
  }
}

console.log('Microseconds per call, best / median round:');
console.table(rows);
const ratio = (over: Timing | undefined, under: Timing | undefined): string =>
  over && under
    ? `${(over.best / under.best).toFixed(2)} best, ${(over.median / under.median).toFixed(2)} median`
    : 'not measured';
console.log(`68 KiB Buffer, etag package over native: ${ratio(page['etag'], page['native'])}`);
console.log(`68 KiB Buffer, native over memcpy:       ${ratio(page['native'], page['memcpy'])}`);
console.log(
  `68 KiB string, etag package over native: ${ratio(pageString['etag'], pageString['native'])}`,
);
if (sink === 0) throw new Error('Nothing was measured.');
