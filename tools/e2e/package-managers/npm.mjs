import { run } from '../child-process.mjs';
import { childEnv, copyWorkspace, programOf } from '../workspace.mjs';

/** A copy of a start, whose packages npm has installed. See index.mjs. */
export async function createWithNpm({ start, starts, place }) {
  const workspace = `${place}/workspace`;
  await copyWorkspace(await starts[start](), workspace);
  const inputs = { cwd: workspace, env: childEnv };
  return {
    workspace,
    env: childEnv,
    node: [process.execPath],
    ngSsr: [programOf(workspace, 'ng-ssr')],
    ng: (args, more) => run(programOf(workspace, 'ng'), args, { ...inputs, ...more }),
    // The script that `ng add` has changed: it packs the build too.
    build: () => run('npm', ['run', 'build'], inputs),
  };
}
