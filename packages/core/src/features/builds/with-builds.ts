import type { Feature } from '../../path/feature.ts';
import type { BuiltIndex } from '../../files/built-index.ts';
import type { ResolvedFilesOptions } from '../../files/files-options.ts';
import type { ResolvedBuilds } from './builds-options.ts';
import { OtherBuilds } from './other-builds.ts';

/** Answers with scripts and styles of other builds, which pages that are open during a deploy still load. */
export function withBuilds(
  builds: ResolvedBuilds,
  { folder: browserFolder, maxFileBytes }: ResolvedFilesOptions,
): Feature<BuiltIndex> {
  return {
    name: 'builds',
    install: ({ index, onError }) => {
      const { hashed, baseHref } = index;
      // The threads of a server ask the main thread.
      if (hashed === undefined || browserFolder === undefined) return {};
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
