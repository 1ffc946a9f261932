import { fileURLToPath } from 'node:url';
import { defineConformanceSuite, startChild } from '@ng-ssr/conformance';
import { test } from 'vitest';
import { threadsMissing } from './threads/threads-missing.ts';

const program = fileURLToPath(new URL('conformance-threads-server.ts', import.meta.url));

if (threadsMissing === undefined) {
  defineConformanceSuite({
    name: 'node, server threads',
    isVariant: true,
    // The other value is the same beyond a server's middleware: see conformance.spec.ts.
    serveHits: ['before-middleware'],
    leftOut: { 'dictionaries ›': 'only connections of the main thread get differences' },
    createServer: (options, serveHits) =>
      startChild([process.execPath, program], options, serveHits),
  });
} else {
  test('conformance with server threads', (context) => context.skip(threadsMissing));
}
