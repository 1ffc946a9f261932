import { join } from 'node:path';
import { once } from '../once.mjs';
import { createWithNpm } from './npm.mjs';
import { createWithPnpm, installPnpm } from './pnpm.mjs';
import { createWithYarn, installYarn } from './yarn.mjs';

/**
 * By its name, what makes a workspace of a start. Takes the start's name, `starts` of `createStarts`, `tools` of
 * `createTools`, the folder `place`, the line of `.npmrc` for our scope, and the version of Angular.
 *
 * Each resolves to the `workspace`, its folder; `env`; `ng(args, options)`, which runs `ng` there, and `build()`, which
 * builds and packs; `ngSsr` and `node`, the words that run these programs there.
 */
export const packageManagers = {
  npm: createWithNpm,
  pnpm: createWithPnpm,
  yarn: createWithYarn,
};

/** pnpm and Yarn, installed when they are first asked for, each with a store that all its workspaces share. */
export function createTools(folder) {
  return {
    pnpm: once(() => installPnpm(join(folder, 'pnpm'))),
    yarn: once(() => installYarn(join(folder, 'yarn'))),
  };
}
