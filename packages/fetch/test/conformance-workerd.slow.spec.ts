import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { defineConformanceSuite, startChild } from '@ng-ssr/conformance';
import { afterAll, test } from 'vitest';
import { bundleNeutral } from './workerd/bundle.ts';
import { missingWorkerd } from './workerd/start-workerd.ts';
import { workerdLeftOut, workerdLimits } from './workerd/limits.ts';

const path = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

if (missingWorkerd === undefined) {
  const root = mkdtempSync(join(tmpdir(), 'ng-ssr-suite-worker-'));
  const bundle = join(root, 'worker.js');
  const fixtures = path('../../conformance/dist/fixture-effects.js');
  const alias = { '@ng-ssr/conformance/child': fixtures };
  const { code } = await bundleNeutral({ entry: path('workerd/suite-worker.ts'), alias });
  writeFileSync(bundle, code);
  afterAll(() => rmSync(root, { recursive: true }));
  const program = path('runtimes/serve-on-workerd.ts');
  defineConformanceSuite({
    name: 'workerd',
    expectedFailures: workerdLimits,
    leftOut: workerdLeftOut,
    createServer: (options) => startChild([process.execPath, program, bundle], options),
  });
} else {
  test.skip(`conformance workerd: ${missingWorkerd}`);
}
