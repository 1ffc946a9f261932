import type { OwnFeature } from '../../path/own-feature.ts';
import { BuiltIndex } from '../../files/built-index.ts';
import type { ResolvedFilesOptions } from '../../files/files-options.ts';
import type { ResolvedBuilds } from './builds-options.ts';
import { OtherBuilds } from './other-builds.ts';

/** Answers with scripts and styles of other builds, which pages that are open during a deploy still load. */
export function withBuilds(
  builds: ResolvedBuilds,
  { folder: browserFolder, maxFileBytes }: ResolvedFilesOptions,
): OwnFeature {
  return {
    name: 'builds',
    install: ({ index, onError }) => {
      // The threads of a server ask the main thread.
      if (!(index instanceof BuiltIndex) || index.hashed === undefined) return {};
      if (browserFolder === undefined) return {};
      const { hashed, baseHref } = index;
      const own = { id: hashed.buildId, baseHref, files: hashed.files, browserFolder };
      const others = new OtherBuilds(builds, own, { built: index, maxFileBytes, onError });
      return {
        findOther: (path) => others.find(path),
        // A page of this server may ask another one for its files: they are there before it gets requests.
        delaysReady: true,
        start: () => others.start(),
        close: () => others.close(),
      };
    },
  };
}
