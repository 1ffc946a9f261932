const PAGE_FILE = '/index.html';
const CSR_PAGE = '/index.csr.html';

/** Whether a file is named as those of prerendered pages are. */
export function isPageFile(path: string): boolean {
  return path.endsWith(PAGE_FILE);
}

/** `/about/index.html` is the page `/about`. */
export function pagePathOf(path: string): string {
  return path.slice(0, -PAGE_FILE.length) || '/';
}

/** Whether a file is a document that browsers render into. */
export function isCsrPage(path: string): boolean {
  return path.endsWith(CSR_PAGE);
}

/** The folders below the browser folder, with `/` in front, that have the build of a locale. */
export function buildsBelow(paths: Iterable<string>): string[] {
  return [...paths]
    .filter((path) => isCsrPage(path) && path !== CSR_PAGE)
    .map((path) => path.slice(0, -CSR_PAGE.length));
}
