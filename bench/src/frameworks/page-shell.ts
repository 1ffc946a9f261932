import { spiralTiles, type Tile } from './spiral-tiles.ts';
import { type Entry, tableRows } from './table-rows.ts';

/** A framework's two pages, each to the HTML of its root. */
export interface Pages {
  readonly table: (rows: readonly Entry[]) => string | Promise<string>;
  readonly spiral: (tiles: readonly Tile[]) => string | Promise<string>;
}

const HEAD =
  '<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Page</title></head><body><div id="app">';
const FOOT = '</div></body></html>';

/** Renders a page into a whole document, to the bytes that a server sends. */
export function toRender({ table, spiral }: Pages): (path: string) => Promise<Uint8Array> {
  const pages: Readonly<Record<string, () => string | Promise<string>>> = {
    '/table': () => table(tableRows),
    '/spiral': () => spiral(spiralTiles()),
  };
  return async (path) => Buffer.from(HEAD + (await pages[path]!()) + FOOT);
}
