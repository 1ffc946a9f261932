import { createHook } from 'node:async_hooks';
import { SsrHandler } from '@ng-ssr/core/adapter';

/**
 * Makes the encodings of a browser folder to their end, or exits a moment after the first has begun. Prints the
 * processor time of this process so far, and of the encodings.
 */
const [browserFolder, mode] = process.argv.slice(2);
let beganAtMs: number | undefined;
createHook({
  init(_id, type) {
    if (type !== 'ZLIB' || beganAtMs !== undefined) return;
    beganAtMs = cpuMs();
    if (mode === 'exit') setTimeout(exit, 100);
  },
}).enable();

function cpuMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

function say(what: string): void {
  const nowMs = cpuMs();
  process.stdout.write(`${what} ${nowMs} ${nowMs - beganAtMs!}\n`);
}

function exit(): never {
  say('exits');
  process.exit(0);
}

const handler = new SsrHandler({
  engine: () => null,
  allowedHosts: ['localhost'],
  files: { folder: browserFolder!, encodings: ['br'] },
});
await handler.ready();
say('encoded');
