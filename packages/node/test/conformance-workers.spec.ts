import { fileURLToPath } from 'node:url';
import { defineConformanceSuite, startChild } from '@ng-ssr/conformance';

const program = fileURLToPath(new URL('conformance-workers-server.ts', import.meta.url));

defineConformanceSuite({
  name: 'node, render threads',
  // Lanes are the adapter's: its suite without render threads runs them all.
  lanes: ['pipeline'],
  createServer: (options, lane) => startChild([process.execPath, program], options, lane),
});
