import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';

/** Angular's DOM, which its package bundles and does not export. */
export interface AngularDom {
  createWindow(html: string, url?: string): { readonly document: Document };
  readonly impl: Readonly<Record<string, unknown>>;
}

const manifest = createRequire(import.meta.url).resolve('@angular/platform-server/package.json');
const bundle = join(dirname(manifest), 'third_party/domino/bundled-domino.mjs');

export const angularDom: AngularDom = (
  (await import(pathToFileURL(bundle).href)) as { default: AngularDom }
).default;
