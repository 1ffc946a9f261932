import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Of a built site: a prerendered page, and a file too large to be held. */
const FILES: Readonly<Record<string, string | Uint8Array>> = {
  'prerendered-routes.json': JSON.stringify({ routes: { '/': {} } }),
  'browser/index.html': page('Home'),
  'browser/large.bin': new Uint8Array(1_200_000),
};

/** Writes the site into a temporary folder. */
export function writeBuiltSite(): { readonly browserFolder: string; dispose(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-trace-'));
  for (const [path, content] of Object.entries(FILES)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return {
    browserFolder: join(folder, 'browser'),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A page large enough to be coded. */
export function page(title: string): string {
  return (
    `<!doctype html><html lang="en"><head><title>${title}</title></head><body>` +
    `<app-root ng-server-context="ssg"><h1>${title}</h1>${'<p>Some text.</p>'.repeat(300)}</app-root>` +
    '</body></html>'
  );
}
