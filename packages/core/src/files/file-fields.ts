import { addVary, valueOf, withField } from '../http/header-list.ts';
import type { FileForms } from './file-forms.ts';

/** What is known of a file's content. */
export interface FileContent {
  readonly contentType: string;
  readonly cacheControl: string;
  /** Whether codings are or will be made, so that Vary is right from the start. */
  readonly isCoded: boolean;
  /** Undefined if it has codings alone. */
  readonly forms?: FileForms | undefined;
  readonly status?: number;
  /** Fields of the page's server route, which override this server's. */
  readonly routeHeaders?: Readonly<Record<string, string>>;
}

/** The fields of all answers with a file. */
export function fieldsOf({
  contentType,
  cacheControl,
  routeHeaders,
  ...content
}: FileContent): string[] {
  let fields = ['Content-Type', contentType, 'Cache-Control', cacheControl];
  for (const [name, value] of Object.entries(routeHeaders ?? {})) {
    fields = withField(fields, name, value);
  }
  if (!content.isCoded) return fields;
  const { vary, field } = content.forms ?? {};
  const names = ['Accept-Encoding', ...(vary === undefined ? [] : [vary])];
  for (const name of names) {
    fields = withField(fields, 'Vary', addVary(valueOf(fields, 'vary'), name));
  }
  if (field !== undefined && valueOf(fields, field[0].toLowerCase()) === undefined) {
    fields.push(...field);
  }
  return fields;
}
