import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliCompressSync, type BrotliOptions, constants } from 'node:zlib';
import { ourServers } from '../contestants/catalogue.ts';
import { get } from '../measure/request.ts';
import type { Row } from '../measure/row.ts';
import type { Session } from '../measure/session.ts';
import { spreadOf } from '../measure/spread.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'dictionary-choices';
const BROWSER = join(import.meta.dirname, '../../../examples/material-app/dist/app/browser');
/** As in `dictionaries`. */
const VISIT = ['/', '/catalog', '/products/1', '/products/2', '/about'];
/** Products of other visits, of which a dictionary of their route is made. */
const OTHERS = ['/products/4', '/products/9', '/products/11'];
/** What begins each answer in dcb: a magic number and the SHA-256 of the dictionary. */
const HEAD_BYTES = 36;
/** A shorter text that pages share saves next to nothing. */
const LEAST_SHARED = 32;

const DRAWING = /<svg[^]*?<\/svg>/g;

/** The size in Brotli of the highest level, against a dictionary if there is one. */
function sizeOf(text: string, dictionary?: string): number {
  const body = Buffer.from(text);
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 11,
    [constants.BROTLI_PARAM_SIZE_HINT]: body.byteLength,
  };
  if (dictionary === undefined) return brotliCompressSync(body, { params }).byteLength;
  const options = { params, dictionary: Buffer.from(dictionary) } as BrotliOptions;
  return HEAD_BYTES + brotliCompressSync(body, options).byteLength;
}

/** The elements of a page that all others have too. */
function sharedBy([first = '', ...others]: readonly string[]): string {
  const shared = first.split(/(?=<)/).filter((part) => others.every((each) => each.includes(part)));
  return shared.filter((part) => part.length >= LEAST_SHARED).join('');
}

/** The page with styles that it lacks, of others. */
function withStylesOf(page: string, others: readonly string[]): string {
  const styles = others.flatMap((each) => each.match(/<style[^>]*>[^]*?<\/style>/g) ?? []);
  return styles.reduce((all, style) => (all.includes(style) ? all : all + style), page);
}

/** The bytes of a visit with each choice of dictionaries: of its pages, and of dictionaries that are loaded besides. */
function costsOf(visit: readonly string[], others: readonly string[]): Record<string, number> {
  const [home = '', catalog = '', ...rest] = visit;
  const [first = '', second = '', about = ''] = rest;
  const sum = (dictionaries: readonly (string | undefined)[], besides = 0): number =>
    visit.reduce((bytes, page, at) => bytes + sizeOf(page, dictionaries[at]), besides);
  const route = home + sharedBy(others);
  const styles = withStylesOf(home, [catalog, about]);
  const ofRoute = [undefined, home, route, route, home];
  const ofSections = [undefined, home, catalog, first, catalog];
  const ofStyles = [undefined, styles, styles, styles, styles];
  return {
    'no dictionary': sum([]),
    'the home page': sum([undefined, home, home, home, home]),
    'the page before': sum([undefined, home, catalog, first, second]),
    'the page before of the route, or the home page': sum([undefined, home, home, first, home]),
    'the page before of the route, or the section before': sum(ofSections),
    'one of the route, itself not counted': sum(ofRoute),
    'one of the route, loaded as a difference': sum(ofRoute, sizeOf(route, home)),
    'the home page with styles of sections, itself not counted': sum(ofStyles),
    'the home page with styles of sections, loaded as a difference': sum(
      ofStyles,
      sizeOf(styles, home),
    ),
    'all pages before at once': visit.reduce(
      (bytes, page, at) => bytes + sizeOf(page, at === 0 ? undefined : visit.slice(0, at).join('')),
      0,
    ),
  };
}

/** What the pages after the first one take against the home page, and each part of it by what they take without it. */
function partsOf([home = '', ...others]: readonly string[]): Record<string, number> {
  const sum = (without: RegExp): number =>
    others.reduce((bytes, page) => bytes + sizeOf(page.replaceAll(without, ''), home), 0);
  // Matches nothing.
  const whole = sum(/$^/g);
  return {
    'four pages': whole,
    'of that drawings': whole - sum(DRAWING),
    'of that ng-state': whole - sum(/<script id="ng-state"[^]*?<\/script>/g),
    'of that styles': whole - sum(/<style[^>]*>[^]*?<\/style>/g),
    'of that scoped attributes': whole - sum(/ _ng(?:content|host)-[\w-]+(?:="")?/g),
  };
}

async function readPages(session: Session): Promise<[visit: string[], others: string[]]> {
  const { origin } = await session.server(ourServers()[0]!);
  const read = async (path: string): Promise<string> =>
    path.startsWith('/products')
      ? (await get(origin + path)).body.toString()
      : readFileSync(join(BROWSER, path, 'index.html'), 'utf8');
  const pages = [await Promise.all(VISIT.map(read)), await Promise.all(OTHERS.map(read))] as const;
  await session.stopServers();
  return [...pages];
}

/** What dictionaries could save: bytes of content in Brotli of the highest level, without a server. */
export const dictionaryChoicesScenario: Scenario = {
  name: NAME,
  title: 'bytes of a visit to five pages of the example, by what is their dictionary',
  async run(session) {
    const [visit, others] = await readPages(session);
    const withoutDrawings = (page: string): string => page.replaceAll(DRAWING, '');
    const works = {
      'five pages': costsOf(visit, others),
      'without drawings': costsOf(visit.map(withoutDrawings), others.map(withoutDrawings)),
      'against the home page': partsOf(visit),
    };
    return Object.entries(works).flatMap(([work, costs]) =>
      Object.entries(costs).map(([server, bytes]): Row => {
        const id = `${NAME}/${work}/${server}`;
        return { id, scenario: NAME, work, server, unit: 'bytes', value: spreadOf([bytes]) };
      }),
    );
  },
};
