import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The application's base href (`ng build --base-href /shop/`), from the document that the CLI writes
 * for the browser: with `/` at both ends.
 *
 * @param otherwise - Where there is none.
 */
export function readBaseHref(folder: string, otherwise = '/'): string {
  for (const name of ['index.csr.html', 'index.html']) {
    const document = readIfThere(join(folder, name));
    const tag = document?.indexOf('<base href="') ?? -1;
    if (document === undefined || tag === -1) continue;
    const start = tag + '<base href="'.length;
    const href = document.slice(start, document.indexOf('"', start));
    // An absolute base is of another origin; a relative one is no path.
    if (!href.startsWith('/') || href.startsWith('//')) return '/';
    return href.endsWith('/') ? href : `${href}/`;
  }
  return otherwise;
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
