/**
 * Publishes what `npm run release -- --pack <folder>` has packed. It imports Node's modules only: the job that may
 * publish installs no packages.
 *
 *     node tools/release/publish.mjs <folder> --tag v1.2.3
 */
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { publishTarballs } from './tarballs.mjs';

const { values, positionals } = parseArgs({
  allowNegative: true,
  allowPositionals: true,
  options: { tag: { type: 'string' }, provenance: { type: 'boolean', default: true } },
});
const [folder] = positionals;
if (folder === undefined || values.tag === undefined) {
  console.error('Usage: node tools/release/publish.mjs <folder> --tag <tag>');
  process.exit(2);
}
process.exitCode = publishTarballs(resolve(folder), values);
