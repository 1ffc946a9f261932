import { join, relative, resolve, sep } from 'node:path';
import { check, hasFunctions } from '../../check-option.ts';
import { SsrError } from '../../errors.ts';
import { wholeNumber } from '../../options/option-values.ts';
import { group, listOf, option, optional } from '../../options/option.ts';
import type { BuildStore } from './build-store.ts';

/**
 * Where the hashed files of other builds are: for tabs that were open during a deploy, and for pages of the next build
 * during a rollout.
 */
export type OldBuildsOptions =
  | {
      /** A folder that the servers of all builds can write. A missing folder is created. */
      readonly folder: string;
      /** Other builds to keep, from 1 to 100. Default: 3. */
      readonly keep?: number | undefined;
    }
  | {
      /** A store that these servers share, such as `redisBuildStore()`. */
      readonly store: BuildStore;
      /** Other builds to keep, from 1 to 100. Default: 3. */
      readonly keep?: number | undefined;
    }
  | {
      /** Browser folders of earlier builds, only read. */
      readonly previous: readonly string[];
    };

/** As {@link OldBuildsOptions}, with every default filled in. */
export type ResolvedOldBuilds =
  | { readonly folder: string; readonly keep: number }
  | { readonly store: BuildStore; readonly keep: number }
  | { readonly previous: readonly string[] };

const DEFAULT_KEEP = 3;
const MOST_KEPT = 100;
const PLACES = ['folder', 'store', 'previous'] as const;
const ONE_OF =
  "one of folder, store and previous, as in { keep: 3, folder: '/var/lib/shop/builds' }";

const oldBuilds = group({
  folder: optional(option<string>(isPath, 'a path')),
  store: optional(option<BuildStore>(isStore, 'a store, such as redisBuildStore()')),
  previous: optional(listOf<string>(isPath, 'a list of browser folders')),
  keep: optional(wholeNumber(1, MOST_KEPT)),
});

/**
 * @param browserFolder - Of the server's own build: what is below it has addresses of its own.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export function resolveOldBuilds(
  given: OldBuildsOptions,
  browserFolder: string | undefined,
): ResolvedOldBuilds {
  const checked = oldBuilds('withOldBuilds', given);
  const { folder, store, previous, keep = DEFAULT_KEEP } = checked;
  const places = PLACES.filter((name) => checked[name] !== undefined);
  if (places.length !== 1) {
    const given = places.length === 0 ? 'needs a place' : `has ${places.join(' and ')}`;
    const message = `withOldBuilds ${given}; allowed: ${ONE_OF}`;
    throw new SsrError('NG_SSR_OPTION_INVALID', message);
  }
  if (previous !== undefined) {
    const isAlone = checked.keep === undefined;
    check(
      'withOldBuilds.keep',
      keep,
      isAlone,
      'only without withOldBuilds.previous: remove one of the two',
    );
    return { previous };
  }
  if (store !== undefined) return { store, keep };
  const isApart = browserFolder === undefined || !isBelow(folder!, browserFolder);
  check('withOldBuilds.folder', folder, isApart, 'a folder outside the browser folder');
  return { folder: folder!, keep };
}

function isPath(value: unknown): boolean {
  return typeof value === 'string' && value !== '' && !value.includes('\0');
}

function isBelow(folder: string, browserFolder: string): boolean {
  const way = relative(resolve(browserFolder), resolve(folder));
  return way === '' || (way.split(sep)[0] !== '..' && join(browserFolder, way) === resolve(folder));
}

function isStore(value: unknown): boolean {
  return hasFunctions(value, ['open', 'publish', 'find', 'close']);
}
