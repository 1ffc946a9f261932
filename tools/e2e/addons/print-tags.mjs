// Run by the runtime that is to load the addon, in a folder where the package is installed: prints, as JSON, the
// runtime, the addon's file, and the tags of the reference's inputs. argv[2] is the reference.
import { readFileSync } from 'node:fs';
import { entityTag, implementation } from '@ng-ssr/etag';

const { referenceBytes, referenceDigests } = await import(process.argv[2]);
const bytes = referenceBytes(referenceDigests.at(-1)[0]);
// The files that the process has in its memory: no other place says it of a loaded library.
const maps = readFileSync('/proc/self/maps', 'utf8');
console.log(
  JSON.stringify({
    arch: process.arch,
    implementation,
    files: [...new Set(maps.match(/(?<=@ng-ssr\/etag\/)\S+\.node$/gm))],
    tags: referenceDigests.map(([length]) => entityTag(bytes.subarray(0, length))),
    text: entityTag('é€🌍 page', { weak: true }),
  }),
);
