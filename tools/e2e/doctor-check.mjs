import assert from 'node:assert/strict';
import { run } from './child-process.mjs';
import { childEnv } from './workspace.mjs';

/**
 * `ng-ssr doctor` beside a build that `ng add` has set up, with the variables of a deployment: nothing is wrong. Only a
 * machine that is a container is told that probes are missing; the generators for containers add them.
 *
 * @param command - What runs `ng-ssr` there.
 */
export async function checkDoctor(workspace, command, env = childEnv) {
  const [program, ...words] = command;
  const { output } = await run(program, [...words, 'doctor'], {
    cwd: workspace,
    env: { ...env, NODE_ENV: 'production', NG_ALLOWED_HOSTS: 'shop.example' },
  });
  assert.match(output, /^0 errors, \d warnings?, \d+ notes?\.$/m);
  const warnings = [...output.matchAll(/^warning +(\S+)$/gm)].map(([, id]) => id);
  assert.deepEqual(
    warnings.filter((id) => id !== 'probes-missing'),
    [],
    output,
  );
}
