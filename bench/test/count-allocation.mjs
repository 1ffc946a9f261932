/**
 * Prints, as JSON, the bytes that V8 allocates per hit of each kind. A process of its own: with a
 * young generation so large that nothing is collected while it counts (`--max-semi-space-size`),
 * and `--expose-gc` to start from a clean heap.
 */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SsrHandler } from '@ng-ssr/core/adapter';

const HITS = 20_000;
/** Until V8 has compiled the whole way of a hit, also on a busy machine. */
const WARM_UP = 300_000;

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-bench-'));
const browserFolder = join(folder, 'browser');
mkdirSync(browserFolder);
const page = `<app-root ng-server-context="ssg">${'x'.repeat(60_000)}</app-root>`;
writeFileSync(join(browserFolder, 'index.html'), page);

const handler = new SsrHandler({
  engine: () => null,
  allowedHosts: ['localhost'],
  files: { folder: browserFolder, encodings: ['gzip'] },
});
await handler.ready();
rmSync(folder, { recursive: true });

function createExchange(headers) {
  const all = { host: 'localhost', ...headers };
  return {
    method: 'GET',
    target: '/?utm_source=letter',
    encrypted: false,
    status: 200,
    header: (name) => all[name],
    headers: () => Object.entries(all),
  };
}

function countBytes(call) {
  for (let i = 0; i < WARM_UP; i++) call();
  let least = Number.POSITIVE_INFINITY;
  for (let round = 0; round < 5; round++) {
    globalThis.gc();
    const before = process.memoryUsage().heapUsed;
    for (let i = 0; i < HITS; i++) call();
    least = Math.min(least, (process.memoryUsage().heapUsed - before) / HITS);
  }
  return least;
}

function countHit(headers) {
  const exchange = createExchange(headers);
  return countBytes(() => handler.answer(exchange));
}

const tag = (() => {
  const { headers } = handler.answer(createExchange({}));
  return headers[headers.findIndex((header) => header.toLowerCase() === 'etag') + 1];
})();
console.log(
  JSON.stringify({
    page: countHit({}),
    encoded: countHit({ 'accept-encoding': 'gzip, deflate, br, zstd' }),
    'not modified': countHit({ 'if-none-match': tag }),
    // What the guard must see: one settled promise for each call.
    control: countBytes(() => Promise.resolve()),
  }),
);
handler.close();
