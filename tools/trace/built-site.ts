import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

/** Files by their path in the folder of a build; browsers get those below `browser`. */
export type SiteFiles = Readonly<Record<string, string | Uint8Array>>;

/** A build that was written into a folder. */
export interface BuiltSite {
  readonly folder: string;
  readonly browserFolder: string;
}

/** A prerendered page, and a file that is too large for memory. */
const FILES: SiteFiles = {
  'prerendered-routes.json': JSON.stringify({ routes: { '/': {} } }),
  'browser/index.html': page('Home'),
  'browser/large.bin': new Uint8Array(1_200_000),
};

/** Writes a site into a temporary folder. */
export function writeBuiltSite(files: SiteFiles = FILES): BuiltSite & { dispose(): void } {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-trace-'));
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), content);
  }
  return {
    folder,
    browserFolder: join(folder, 'browser'),
    dispose: () => rmSync(folder, { recursive: true, force: true }),
  };
}

/** A link that may be sent ahead of a page. */
export const STYLES = '<link rel="stylesheet" href="styles.css">';

/** A page that is large enough to be compressed. */
export function page(title: string, head = ''): string {
  return (
    `<!doctype html><html lang="en"><head><title>${title}</title>${head}</head><body>` +
    `<app-root ng-server-context="ssg"><h1>${title}</h1>${'<p>Some text.</p>'.repeat(300)}</app-root>` +
    '</body></html>'
  );
}
