import { fileURLToPath } from 'node:url';
import { defineConformanceSuite, startChild } from '@ng-ssr/conformance';

const program = fileURLToPath(new URL('conformance-workers-server.ts', import.meta.url));

defineConformanceSuite({
  name: 'node, render threads',
  isVariant: true,
  // `hits` is the adapter's: its suite without render threads runs them all.
  hits: ['after-middleware'],
  createServer: (options, hits) => startChild([process.execPath, program], options, hits),
});
