import assert from 'node:assert/strict';
import { run } from './child-process.mjs';
import { childEnv, programOf } from './workspace.mjs';

/** For a linter or a test runner on a machine that has other work. */
const LIMIT_MS = 240_000;

/** What users run before they commit. `ng test` needs no browser: vitest has jsdom. */
const commands = {
  prettier: {
    name: 'prettier --check',
    command: ['prettier', '--check', '.'],
    says: (output) => assert.match(output, /All matched files use Prettier/),
  },
  lint: {
    name: 'ng lint',
    command: ['ng', 'lint'],
    says: (output) => {
      assert.match(output, /All files pass linting/);
      assert.doesNotMatch(output, /\bwarning\b/i);
    },
  },
  test: {
    name: 'ng test',
    command: ['ng', 'test', '--no-watch'],
    says: (output) => assert.match(output, /Tests\s+4 passed \(4\)/),
  },
};

/**
 * Some of these commands in a workspace, at once, since none of them writes.
 *
 * @param names - Of `prettier`, `lint` and `test`.
 * @param title - Names the workspace in the results.
 */
export function checkAsUsersDo(workspace, names, { title, check }) {
  const checks = names.map((each) => {
    const { name, command, says } = commands[each];
    const [program, ...args] = command;
    return check(`${title}: ${name}`, async () => {
      const inputs = { cwd: workspace, env: childEnv, limitMs: LIMIT_MS };
      says((await run(programOf(workspace, program), args, inputs)).output);
    });
  });
  return Promise.all(checks);
}
