import { SsrError } from '../errors.ts';
import { MOST_ENCODED_FILE_BYTES } from './large-file.ts';
import { namedFiles } from './named-files.ts';

/** The notice of pages with a nonce that do not fit into memory. */
export function noticeOfUnheld(pages: readonly string[]): SsrError | undefined {
  if (pages.length === 0) return undefined;
  const message =
    `${namedFiles(pages)}: too large to be kept in memory, so the nonce cannot be inserted, and the page is ` +
    'rendered for each request. Raise files.maxFileBytes or files.maxBytes.';
  return new SsrError('NG_SSR_NONCE_UNFILLED', message);
}

/** The notice of pages without the public configuration that do not fit into memory. */
export function noticeOfUnconfigured(pages: readonly string[]): SsrError | undefined {
  if (pages.length === 0) return undefined;
  const message =
    `${namedFiles(pages)}: too large to be kept in memory, so the public configuration cannot be put into the built page, and ` +
    'it is rendered for each request. Raise files.maxFileBytes or files.maxBytes.';
  return new SsrError('NG_SSR_PUBLIC_CONFIG_NOTICE', message);
}

/** The notice of text files that are sent without a content encoding. */
export function noticeOfUnencoded(
  files: readonly { readonly path: string; readonly sizeBytes: number }[],
): SsrError | undefined {
  if (files.length === 0) return undefined;
  const names = files.map(({ path, sizeBytes }) => `${path} (${sizeBytes} bytes)`);
  const message =
    `${namedFiles(names)}: sent without a content encoding. Text files are encoded up to ` +
    `${MOST_ENCODED_FILE_BYTES} bytes, or up to files.maxFileBytes if that is more, while files.maxBytes has ` +
    'room. Raise the option that is too small.';
  return new SsrError('NG_SSR_ENCODING_FAILED', message);
}
