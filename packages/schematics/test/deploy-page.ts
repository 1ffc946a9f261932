import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** A file as a page of docs/deploy shows it. */
export interface ShownFile {
  readonly path: string;
  /** The package whose generator writes it so. */
  readonly adapter: string;
  readonly text: string;
}

/** The mark of a file, and its block: in a page that Prettier leaves alone there. */
const SHOWN =
  /(<!-- file: (\S+)(?: of @ng-ssr\/(\w+))? -->\n<!-- prettier-ignore -->\n```\w*\n)([^]*?)```/g;

function placeOf(page: string): string {
  return fileURLToPath(new URL(`../../../docs/deploy/${page}`, import.meta.url));
}

/** The text of a page. */
export function pageOf(page: string): string {
  return readFileSync(placeOf(page), 'utf8');
}

/** The files that a page shows to be copied. */
export function filesShownIn(page: string): ShownFile[] {
  return [...readFileSync(placeOf(page), 'utf8').matchAll(SHOWN)].map(
    ([, , path, adapter = 'koa', text]) => ({ path: path!, adapter, text: text! }),
  );
}

/** The text of a file of a page. */
export function fileShownIn(page: string, path: string, adapter = 'koa'): string {
  const shown = filesShownIn(page).find((one) => one.path === path && one.adapter === adapter);
  if (shown === undefined) throw new Error(`docs/deploy/${page} shows no ${path} of ${adapter}`);
  return shown.text;
}

/** Puts the text of a file into a page, in place of what it shows. */
export function showIn(page: string, path: string, adapter: string, text: string): void {
  const place = placeOf(page);
  const shown = readFileSync(place, 'utf8');
  const changed = shown.replace(SHOWN, (whole, mark: string, at: string, of = 'koa') =>
    at === path && of === adapter ? `${mark}${text}\`\`\`` : whole,
  );
  writeFileSync(place, changed);
}
