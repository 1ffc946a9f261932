import { defineConformanceSuite } from '@ng-ssr/conformance';
import { test } from 'vitest';
import { deno } from './runtimes/runtime.ts';
import { startChild } from './runtimes/start-child.ts';
import { denoLimits } from './runtime-limits.ts';

if (deno.missing === undefined) {
  defineConformanceSuite({
    name: 'deno',
    expectedFailures: denoLimits,
    createServer: (options) => startChild(deno, './serve-on-deno.ts', options),
  });
} else {
  test.skip(`conformance deno: ${deno.missing}`);
}
