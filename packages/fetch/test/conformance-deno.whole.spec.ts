import { fileURLToPath } from 'node:url';
import { defineConformanceSuite, startChild } from '@ng-ssr/conformance';
import { test } from 'vitest';
import { deno } from './runtimes/runtime.ts';
import { denoLimits } from './runtime-limits.ts';

const program = fileURLToPath(new URL('runtimes/serve-on-deno.ts', import.meta.url));

if (deno.missing === undefined) {
  defineConformanceSuite({
    name: 'deno',
    expectedFailures: denoLimits,
    createServer: (options) => startChild([...deno.command, program], options),
  });
} else {
  test.skip(`conformance deno: ${deno.missing}`);
}
