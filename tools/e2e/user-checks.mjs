import assert from 'node:assert/strict';
import { run } from './child-process.mjs';
import { childEnv, programOf } from './workspace.mjs';

/** For a linter or a test runner on a machine that has other work. */
const LIMIT_MS = 240_000;

/**
 * What users run before they commit: Prettier over the whole workspace, `ng lint` and, where asked,
 * `ng test`, which needs no browser: vitest has jsdom. At once, since none of them writes.
 *
 * @param title - Names the workspace in the results.
 */
export async function checkAsUsersDo(workspace, { title, hasTests, check }) {
  const runIn = async (name, ...args) => {
    const { output } = await run(programOf(workspace, name), args, {
      cwd: workspace,
      env: childEnv,
      limitMs: LIMIT_MS,
    });
    return output;
  };
  const checks = [
    check(`${title}: prettier --check`, async () => {
      assert.match(await runIn('prettier', '--check', '.'), /All matched files use Prettier/);
    }),
    check(`${title}: ng lint`, async () => {
      const output = await runIn('ng', 'lint');
      assert.match(output, /All files pass linting/);
      assert.doesNotMatch(output, /\bwarning\b/i);
    }),
  ];
  if (hasTests) {
    checks.push(
      check(`${title}: ng test`, async () => {
        assert.match(await runIn('ng', 'test', '--no-watch'), /Tests\s+4 passed \(4\)/);
      }),
    );
  }
  const all = await Promise.all(checks);
  return all.every(Boolean);
}
