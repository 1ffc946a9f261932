import { SsrError } from '../../errors.ts';
import { namedFiles } from '../named-files.ts';
import type { Taken } from './take-packed.ts';

/** The notices of encodings that a server has not taken from its pack. */
export function noticesOfPack({ stale, damaged }: Pick<Taken, 'stale' | 'damaged'>): SsrError[] {
  const notices: SsrError[] = [];
  if (stale.length > 0) {
    const message =
      `${list(stale)}: changed or added after the build was packed, so the server compresses them. Run ng-ssr ` +
      'pack after all changes of the built files';
    notices.push(new SsrError('NG_SSR_PACK_STALE', message));
  }
  if (damaged.length > 0) {
    const message =
      `${list(damaged)}: their encodings in the pack are damaged, so the server compresses them. Run ng-ssr ` +
      'pack again';
    notices.push(new SsrError('NG_SSR_PACK_INVALID', message));
  }
  return notices;
}

function list(files: readonly { readonly path: string }[]): string {
  const names = namedFiles(files.map(({ path }) => path));
  return files.length === 1 ? names : `${files.length} files, ${names}`;
}
