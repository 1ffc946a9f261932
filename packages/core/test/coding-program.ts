import { createHook } from 'node:async_hooks';
import { SsrHandler } from '@ng-ssr/core/adapter';

/**
 * Makes the codings of a browser folder to their end, or exits a moment after the first has begun.
 * Prints how long the codings have taken, or a line as it exits.
 */
const [browserFolder, mode] = process.argv.slice(2);
let beganAtMs: number | undefined;
createHook({
  init(_id, type) {
    if (type !== 'ZLIB' || beganAtMs !== undefined) return;
    beganAtMs = performance.now();
    if (mode === 'exit') setTimeout(exit, 100);
  },
}).enable();

function exit(): never {
  process.stdout.write('exits\n');
  process.exit(0);
}

const handler = new SsrHandler({
  engine: () => null,
  allowedHosts: ['localhost'],
  files: { folder: browserFolder!, encodings: ['br'] },
});
await handler.ready();
process.stdout.write(`${performance.now() - beganAtMs!}\n`);
