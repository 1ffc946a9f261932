import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from './child-process.mjs';
import { childEnv, pin, QUIET } from './workspace.mjs';

/** What a new application has beside its own flags: nothing is asked, nothing installed yet. */
const UNASKED = ['--defaults', '--skip-git', '--skip-install', '--ai-config', 'none'];

/**
 * `ng new shop` with flags, for applications that no start is: by the starts' CLI, not installed.
 *
 * @param starts - As of `createStarts`.
 * @param npmrc - The line that makes npm ask our registry for our scope.
 * @param angular - The version of Angular, exactly.
 * @returns The folder of the application.
 */
export async function newApplication(flags, { starts, place, npmrc, angular }) {
  mkdirSync(place, { recursive: true });
  await run(await starts.cli(), ['new', 'shop', ...flags, ...UNASKED], {
    cwd: place,
    env: childEnv,
  });
  const workspace = join(place, 'shop');
  pin(workspace, angular);
  writeFileSync(join(workspace, '.npmrc'), `${QUIET}${npmrc}\n`);
  return workspace;
}
