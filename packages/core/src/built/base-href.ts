import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * The path that the application was built for (`ng build --base-href /shop/`), from the document
 * the CLI leaves for the client: `/` at both ends, `/` alone when there is none.
 */
export function readBaseHref(browserFolder: string): string {
  for (const name of ['index.csr.html', 'index.html']) {
    const document = readIfThere(join(browserFolder, name));
    const tag = document?.indexOf('<base href="') ?? -1;
    if (document === undefined || tag === -1) continue;
    const start = tag + '<base href="'.length;
    const href = document.slice(start, document.indexOf('"', start));
    // An absolute base names another origin's files; a relative one no path of its own.
    if (!href.startsWith('/') || href.startsWith('//')) return '/';
    return href.endsWith('/') ? href : `${href}/`;
  }
  return '/';
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
