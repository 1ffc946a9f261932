import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { invalidOption } from './engine-options.ts';

const NAME = 'index.server.html';

/**
 * Reads the document that every render starts from. Once: the text does not change while a server
 * runs, and CommonEngine, given the text, skips its search for a prerendered page on disk.
 *
 * @throws SsrError NG_SSR_OPTION_INVALID when there is none.
 */
export function readDocument(
  documentFilePath: string | undefined,
  browserFolder: string | undefined,
): string {
  const tried = documentFilePath === undefined ? candidates(browserFolder) : [documentFilePath];
  const found = tried.find((path) => existsSync(path));
  if (found !== undefined) return readFileSync(found, 'utf8');
  throw invalidOption(
    'commonEngine',
    'documentFilePath',
    `the path of the built ${NAME} (looked for ${tried.join(', ')})`,
    documentFilePath,
  );
}

/** Beside the server bundle, which this module is part of; else where the CLI puts it. */
function candidates(browserFolder: string | undefined): string[] {
  const places = [join(dirname(fileURLToPath(import.meta.url)), NAME)];
  if (browserFolder !== undefined) places.push(join(browserFolder, '../server', NAME));
  if (process.argv[1] !== undefined) places.push(join(dirname(process.argv[1]), NAME));
  return places;
}
