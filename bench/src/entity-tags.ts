// What an entity tag costs: `node bench/src/entity-tags.ts`, after a build.
//
// Every contender runs in each round, in turn, so that a noisy machine treats them alike. The table
// gives the best and the median round in microseconds per call.
import { createRequire } from 'node:module';
import { cpus } from 'node:os';
import { crc32 } from 'node:zlib';

import { entityTag, implementation } from '@ng-ssr/etag';
import { entityTag as twin } from '@ng-ssr/etag/twin';
import { createSamplePage } from './micro/sample-page.ts';
import { timeCalls } from './micro/time-calls.ts';

const etag = createRequire(import.meta.url)('etag') as (body: Buffer | string) => string;

const PAGE_BYTES = 68 * 1024;
const SIZES = [16, 256, 4096, PAGE_BYTES, 1024 * 1024];

interface Timing {
  best: number;
  median: number;
}

function measure(contenders: Record<string, () => unknown>): Record<string, Timing> {
  return Object.fromEntries(
    Object.entries(timeCalls(contenders)).map(([name, { min, median }]) => [
      name,
      { best: min / 1000, median: median / 1000 },
    ]),
  );
}

const show = (value: number): string => value.toFixed(value < 10 ? 2 : 1);

console.log(`${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.versions.node}`);
if (implementation === 'js') console.log('The addon is not in use: "native" is the twin.');

const rows: Record<string, Record<string, string>> = {};
let page: Record<string, Timing> = {};
let pageString: Record<string, Timing> = {};
for (const size of SIZES) {
  const bytes = createSamplePage(size);
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
