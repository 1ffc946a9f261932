import { SsrError } from '../errors.ts';
import { MOST_CODED_FILE_BYTES } from './large-file.ts';

/** The notice of pages with a nonce that do not fit into memory. */
export function noticeOfUnheld(pages: readonly string[]): SsrError | undefined {
  if (pages.length === 0) return undefined;
  const message =
    `${pages.join(', ')}: too large to be held, so no answer's nonce can be put into the built ` +
    'page, and it is rendered for each request. files.maxFileBytes and files.maxBytes make room.';
  return new SsrError('NG_SSR_NONCE_UNFILLED', message);
}

/** The notice of text files that are sent without a content coding. */
export function noticeOfUncoded(
  files: readonly { readonly path: string; readonly sizeBytes: number }[],
): SsrError | undefined {
  if (files.length === 0) return undefined;
  const names = files.map(({ path, sizeBytes }) => `${path} (${sizeBytes} bytes)`);
  const message =
    `${names.join(', ')}: sent without a content coding. Codings are made of text files of up to ` +
    `${MOST_CODED_FILE_BYTES} bytes, of larger ones where files.maxFileBytes has them held, and as far ` +
    'as files.maxBytes has room.';
  return new SsrError('NG_SSR_CODING_FAILED', message);
}
