import { run } from '../child-process.mjs';
import { childEnv } from '../workspace.mjs';

/** Why no container can run here; undefined if one can. */
export async function dockerProblem() {
  try {
    const inputs = { cwd: import.meta.dirname, env: childEnv, limitMs: 20_000, mayFail: true };
    const { code, output } = await run(
      'docker',
      ['info', '--format', '{{.ServerVersion}}'],
      inputs,
    );
    return code === 0 ? undefined : `${output.trim().split('\n').at(-1)}`;
  } catch (error) {
    return error.code === 'ENOENT' ? 'the command docker is not installed' : error.message;
  }
}
