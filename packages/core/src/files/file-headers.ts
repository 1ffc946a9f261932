import { addVary, valueOf, withHeader } from '../http/header-list.ts';
import type { FileForms } from './file-forms.ts';

/** What is known of a file's content. */
export interface FileContent {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Whether encodings are or will be made, so that Vary is right from the start. */
  readonly isEncoded: boolean;
  /** Undefined if it has encodings alone. */
  readonly forms?: FileForms | undefined;
  readonly status?: number;
  /** Headers of the page's server route, which override this server's. */
  readonly routeHeaders?: Readonly<Record<string, string>>;
}

/** The headers of all answers with a file, or of those with one of its {@link FileForms}. */
export function headersOf(content: FileContent, isForm = false): string[] {
  let headers = ['Content-Type', content.contentType, 'Cache-Control', content.cacheControl];
  for (const [name, value] of Object.entries(content.routeHeaders ?? {})) {
    headers = withHeader(headers, name, value);
  }
  if (!content.isEncoded) return headers;
  const { forms } = content;
  const varied = addVary(valueOf(headers, 'vary'), 'Accept-Encoding');
  headers = withHeader(headers, 'Vary', forms ? addVary(varied, forms.vary) : varied);
  const header = forms?.header;
  if (!header || valueOf(headers, header[0].toLowerCase()) !== undefined) return headers;
  return [...headers, header[0], header[isForm ? 2 : 1]];
}
