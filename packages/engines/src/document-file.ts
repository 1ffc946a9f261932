import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invalidOption } from './engine-options.ts';

const NAME = 'index.server.html';

/** The built document. */
export interface DocumentFile {
  readonly path: string;
  readonly text: string;
}

/**
 * Reads the document into which every page is rendered. Once: the text does not change while a server
 * runs, and with the text CommonEngine does not search the disk for a prerendered page.
 *
 * @throws SsrError NG_SSR_OPTION_INVALID if there is none.
 */
export function readDocument(
  documentFilePath: string | undefined,
  browserFolder: string | undefined,
): DocumentFile {
  const tried = documentFilePath === undefined ? candidates(browserFolder) : [documentFilePath];
  const found = tried.find((path) => existsSync(path));
  if (found !== undefined) return { path: found, text: readFileSync(found, 'utf8') };
  throw invalidOption(
    'commonEngine',
    'documentFilePath',
    `the path of the built ${NAME} (looked for ${tried.join(', ')})`,
    documentFilePath,
  );
}

/** Beside the server bundle, which contains this module; else where the CLI writes it. */
function candidates(browserFolder: string | undefined): string[] {
  const places = [join(dirname(fileURLToPath(import.meta.url)), NAME)];
  if (browserFolder !== undefined) places.push(join(browserFolder, '../server', NAME));
  if (process.argv[1] !== undefined) places.push(join(dirname(process.argv[1]), NAME));
  return places;
}
