import { defineConformanceSuite } from '@ng-ssr/conformance';
import { test } from 'vitest';
import { bun } from './runtimes/runtime.ts';
import { startChild } from './runtimes/start-child.ts';
import { bunLimits } from './runtime-limits.ts';

if (bun.missing === undefined) {
  defineConformanceSuite({
    name: 'bun',
    expectedFailures: bunLimits,
    createServer: (options) => startChild(bun, './serve-on-bun.ts', options),
  });
} else {
  test.skip(`conformance bun: ${bun.missing}`);
}
