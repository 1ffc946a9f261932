/**
 * Records what a change of the core must not change, and compares it with an earlier record: see CONTRIBUTING.md.
 *
 *   --out <folder>       writes the record into this folder
 *   --against <folder>   compares it with the record in this folder; ends with 1 if transcripts differ or hits
 *                        make more calls
 *   --only <parts>       some of trace, transcripts and figures
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { compareRecords } from './compare-records.ts';
import { PARTS, type Part } from './parts.ts';
import { record } from './record.ts';

const { values } = parseArgs({
  options: {
    out: { type: 'string' },
    against: { type: 'string' },
    only: { type: 'string', default: PARTS.join(',') },
  },
});
const { out, against } = values;
if (out === undefined && against === undefined) fail('Name a folder: --out or --against');
const parts = values.only.split(',').map(toPart);

const root = join(import.meta.dirname, '../..');
const folder = out === undefined ? mkdtempSync(join(tmpdir(), 'ng-ssr-baseline-')) : resolve(out);
try {
  await record(root, folder, parts);
  if (against !== undefined) {
    const { text, isAccepted } = compareRecords(resolve(against), folder, parts);
    console.log(text);
    if (!isAccepted) process.exitCode = 1;
  }
} finally {
  if (out === undefined) rmSync(folder, { recursive: true });
}

function toPart(name: string): Part {
  const part = PARTS.find((each) => each === name);
  return part ?? fail(`--only is ${JSON.stringify(name)}; allowed: ${PARTS.join(', ')}`);
}

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
