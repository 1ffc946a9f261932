import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { run } from './child-process.mjs';
import { childEnv, pin, QUIET } from './workspace.mjs';

/** What a new application has beside its own flags: nothing is asked, nothing installed yet. */
const UNASKED = ['--defaults', '--skip-git', '--skip-install', '--ai-config', 'none'];

/**
 * `ng new shop` with flags, for applications that no start is: by the starts' CLI, not installed.
 *
 * @param starts - The folders of `createStarts`.
 * @param npmrc - The line that makes npm ask our registry for our scope.
 * @param angular - The version of Angular, exactly.
 * @returns The folder of the application.
 */
export async function newApplication(flags, { starts, place, npmrc, angular }) {
  mkdirSync(place, { recursive: true });
  const [start] = Object.values(starts);
  // Not the start's own: a CLI that is in a workspace makes no other.
  const ng = join(dirname(start), 'cli/node_modules/.bin/ng');
  await run(ng, ['new', 'shop', ...flags, ...UNASKED], { cwd: place, env: childEnv });
  const workspace = join(place, 'shop');
  pin(workspace, angular);
  writeFileSync(join(workspace, '.npmrc'), `${QUIET}${npmrc}\n`);
  return workspace;
}
