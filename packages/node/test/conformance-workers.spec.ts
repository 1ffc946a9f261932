import { fileURLToPath } from 'node:url';
import { defineConformanceSuite, startChild } from '@ng-ssr/conformance';

const program = fileURLToPath(new URL('conformance-workers-server.ts', import.meta.url));

defineConformanceSuite({
  name: 'node, render threads',
  lanes: ['pipeline', 'front'],
  createServer: (options, lane) => startChild([process.execPath, program], options, lane),
});
