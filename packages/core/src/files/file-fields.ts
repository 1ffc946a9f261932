import { addVary, valueOf, withField } from '../http/header-list.ts';
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
  /** Fields of the page's server route, which override this server's. */
  readonly routeHeaders?: Readonly<Record<string, string>>;
}

/** The fields of all answers with a file. */
export function fieldsOf(content: FileContent): string[] {
  let fields = ['Content-Type', content.contentType, 'Cache-Control', content.cacheControl];
  for (const [name, value] of Object.entries(content.routeHeaders ?? {})) {
    fields = withField(fields, name, value);
  }
  if (!content.isEncoded) return fields;
  const { vary, field } = content.forms ?? {};
  const varied = addVary(valueOf(fields, 'vary'), 'Accept-Encoding');
  fields = withField(fields, 'Vary', vary === undefined ? varied : addVary(varied, vary));
  const isOwn = field !== undefined && valueOf(fields, field[0].toLowerCase()) !== undefined;
  return field === undefined || isOwn ? fields : [...fields, ...field];
}
