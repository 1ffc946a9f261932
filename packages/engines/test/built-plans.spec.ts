import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { compileSheet, encodePlan } from 'beasties/compiler';
import { afterAll, expect, it } from 'vitest';
import { readPlans } from '../src/fast/built-plans.ts';

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-plans-'));
afterAll(() => rmSync(folder, { recursive: true }));

/** The plans of a build with one stylesheet, whose file is as given. */
function plansOf(built: string, file: string): Promise<readonly unknown[]> {
  const server = mkdtempSync(join(folder, 'of-'));
  const criticalCssPlans = [encodePlan(compileSheet(built, { href: 's.css' }))];
  const manifest = `export default ${JSON.stringify({ criticalCssPlans })}`;
  writeFileSync(join(server, 'angular-app-manifest.mjs'), manifest);
  writeFileSync(join(server, 's.css'), file);
  return readPlans(server, server);
}

it.each([
  ['of the build', '.a{top:0}', '.a{top:0}', 1],
  ['of another size', '.a{top:0}', '.a{top:0} ', 0],
  [
    'with a directive of Beasties',
    '/* beasties:exclude */.a{.b{top:0}}.c{top:0}',
    '/* beasties:exclude */.a{.b{top:0}}.c{top:0}',
    0,
  ],
])('the plans of a stylesheet %s', async (_name, built, file, count) => {
  expect(await plansOf(built, file)).toHaveLength(count);
});
