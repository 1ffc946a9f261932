import { fileURLToPath } from 'node:url';
import { defineConformanceSuite, startChild } from '@ng-ssr/conformance';
import { test } from 'vitest';
import { bun } from './runtimes/runtime.ts';
import { bunLimits } from './runtime-limits.ts';

const program = fileURLToPath(new URL('runtimes/elysia-on-bun.ts', import.meta.url));

if (bun.missing === undefined) {
  defineConformanceSuite({
    name: 'elysia',
    expectedFailures: bunLimits,
    createServer: (options) => startChild([...bun.command, program], options),
  });
} else {
  test.skip(`conformance elysia: ${bun.missing}`);
}
