import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Writes files into a temporary build folder; it is removed when the test has finished. */
export function writeBuiltSite(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-core-'));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, content);
  }
  return join(folder, 'browser');
}

/** A page as the Angular CLI prerenders it. */
export function prerendered(content: string): string {
  return `<!doctype html><html><app-root ng-server-context="ssg">${content}</app-root></html>`;
}
