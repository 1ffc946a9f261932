import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const cache = join(import.meta.dirname, '../../../tmp/bench');

/** A page as the Angular CLI prerenders it, with exactly `bytes` bytes. */
export function generatePage(index: number, bytes: number): string {
  const start =
    `<!doctype html><html><head><title>${index}</title></head><body>` +
    '<app-root ng-server-context="ssg">';
  const end = '</app-root></body></html>';
  const words = `<p>Page ${index}, written so that there is something to hold.</p>\n`;
  const room = Math.max(0, bytes - start.length - end.length);
  return start + words.repeat(Math.ceil(room / words.length)).slice(0, room) + end;
}

/** Where page `index` of a generated site lies; the first is the home page. */
export function pathOfPage(index: number): string {
  return index === 0 ? '/' : `/section-${index % 100}/page-${index}`;
}

/** Writes a browser folder of prerendered pages, once; the folder is kept. */
export function generateSite(pages: number, bytesPerPage: number): string {
  const folder = join(cache, `site-${pages}-of-${bytesPerPage}`, 'browser');
  const isComplete = join(folder, '..', 'complete');
  if (existsSync(isComplete)) return folder;
  rmSync(join(folder, '..'), { recursive: true, force: true });
  for (let index = 0; index < pages; index++) {
    const place = join(folder, pathOfPage(index));
    mkdirSync(place, { recursive: true });
    writeFileSync(join(place, 'index.html'), generatePage(index, bytesPerPage));
  }
  writeFileSync(isComplete, '');
  return folder;
}
