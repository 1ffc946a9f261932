import { dirname, join } from 'node:path/posix';
import { type MarkdownPage, readMarkdown } from './markdown-page.ts';

/**
 * The relative links of Markdown pages that lead nowhere, as `page: target`.
 *
 * @param files - Every file of the repository; a folder exists when a file is in it.
 * @param read - The text of a page.
 */
export function brokenLinks(files: readonly string[], read: (path: string) => string): string[] {
  const known = new Set(files);
  for (const file of files) {
    for (let folder = dirname(file); folder !== '.'; folder = dirname(folder)) known.add(folder);
  }
  const pages = new Map<string, MarkdownPage>(
    files.filter((path) => path.endsWith('.md')).map((path) => [path, readMarkdown(read(path))]),
  );
  return [...pages].flatMap(([path, { links }]) =>
    links.filter((link) => isBroken(path, link)).map((link) => `${path}: ${link}`),
  );

  function isBroken(path: string, link: string): boolean {
    if (/^[a-z][a-z0-9+.-]*:/i.test(link)) return false;
    const [target = '', anchor] = decodeURI(link).split('#');
    const found = target === '' ? path : join(dirname(path), target).replace(/\/$/, '');
    if (!known.has(found)) return true;
    const page = pages.get(found) ?? pages.get(`${found}/README.md`);
    return anchor !== undefined && page !== undefined && !page.anchors.has(anchor);
  }
}
