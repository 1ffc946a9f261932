import assert from 'node:assert/strict';
import { run } from './child-process.mjs';
import { childEnv } from './workspace.mjs';

/**
 * `ng-ssr doctor` beside a build that `ng add` has set up, with the variables of a deployment: nothing is wrong, and fast
 * renders are those of Angular. Only a machine that is a container is told that probes are missing; the generators for
 * containers add them.
 *
 * @param command - What runs `ng-ssr` there.
 */
export async function checkDoctor(workspace, command, env = childEnv) {
  const [program, ...words] = command;
  const doctor = async (...args) => {
    const { output } = await run(program, [...words, 'doctor', ...args], {
      cwd: workspace,
      env: { ...env, NODE_ENV: 'production', NG_ALLOWED_HOSTS: 'shop.example' },
    });
    return output;
  };
  const output = await doctor();
  assert.match(output, /^0 errors, \d warnings?, \d+ notes?\.$/m);
  const warnings = [...output.matchAll(/^warning +(\S+)$/gm)].map(([, id]) => id);
  assert.deepEqual(
    warnings.filter((id) => id !== 'probes-missing'),
    [],
    output,
  );
  assert.match(await doctor('--compare'), /^[1-9]\d* pages?: [1-9]\d* the same\.$/m);
}
