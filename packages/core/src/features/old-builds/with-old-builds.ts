import { BuiltIndex } from '../../files/built-index.ts';
import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import { OldBuilds } from './old-builds.ts';
import { type OldBuildsOptions, resolveOldBuilds } from './old-builds-options.ts';

/** Where other builds are, for `ng-ssr doctor`. */
export interface OldBuildsSettings {
  readonly folder: string | undefined;
  readonly previous: readonly string[] | undefined;
  readonly hasStore: boolean;
}

/**
 * Serves scripts and styles of other builds, for pages that stay open during a deploy. Without it they are a 404.
 *
 * @example
 * ```ts
 * features: [withOldBuilds({ keep: 3, folder: '/var/lib/shop/builds' })]
 * ```
 */
export function withOldBuilds(options: OldBuildsOptions): Feature {
  return own({
    name: 'old-builds',
    isForClients: true,
    isForNode: true,
    install: ({ browserFolder, index, onError }): OwnExtension => {
      const builds = resolveOldBuilds(options, browserFolder);
      const settings: OldBuildsSettings = {
        folder: 'folder' in builds ? builds.folder : undefined,
        previous: 'previous' in builds ? builds.previous : undefined,
        hasStore: 'store' in builds,
      };
      const describe: OwnExtension['describe'] = () => ({ settings });
      // The threads of a server ask the main thread.
      if (!(index instanceof BuiltIndex) || index.hashed === undefined) return { describe };
      if (browserFolder === undefined) return { describe };
      const { hashed, baseHref } = index;
      const own = { id: hashed.buildId, baseHref, files: hashed.files, browserFolder };
      const others = new OldBuilds(builds, own, index, onError);
      return {
        describe,
        findOther: (path) => others.find(path),
        // A page of this server may ask another one for its files: they are there before it gets requests.
        delaysReady: true,
        start: () => others.start(),
        close: () => others.close(),
      };
    },
  });
}
