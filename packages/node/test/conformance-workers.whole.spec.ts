import { fileURLToPath } from 'node:url';
import { defineConformanceSuite, startChild } from '@ng-ssr/conformance';

const program = fileURLToPath(new URL('conformance-workers-server.ts', import.meta.url));

defineConformanceSuite({
  name: 'node, render threads',
  isVariant: true,
  // `serveHits` is the adapter's: its suite without render threads runs them all.
  serveHits: ['after-middleware'],
  createServer: (options, serveHits) => startChild([process.execPath, program], options, serveHits),
});
