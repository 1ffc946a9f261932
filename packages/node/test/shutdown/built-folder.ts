import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Larger than what the kernel takes off a process for a client that does not read. */
export const LARGE_BYTES = 16 * 1024 * 1024;

/** Writes what the servers under test hold: two pages, and a large file. */
export function writeBuiltFolder(): { readonly folder: string; remove(): void } {
  const root = mkdtempSync(join(tmpdir(), 'ng-ssr-shutdown-'));
  const folder = join(root, 'browser');
  mkdirSync(join(folder, 'about'), { recursive: true });
  const page = (text: string): string =>
    `<!doctype html><html><app-root ng-server-context="ssg">${text}</app-root></html>`;
  writeFileSync(join(folder, 'index.html'), page('home '.repeat(4000)));
  writeFileSync(join(folder, 'about/index.html'), page('about '.repeat(500)));
  writeFileSync(join(folder, 'large.bin'), Buffer.alloc(LARGE_BYTES, 'large'));
  return { folder, remove: () => rmSync(root, { recursive: true, force: true }) };
}
