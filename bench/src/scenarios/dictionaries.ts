import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { ourServers } from '../contestants/catalogue.ts';
import { type Deploy, makeDeploy, type Pages } from '../contestants/dictionary-builds.ts';
import type { Contestant } from '../measure/contestant.ts';
import { get } from '../measure/request.ts';
import type { Row } from '../measure/row.ts';
import type { Session } from '../measure/session.ts';
import { spreadOf } from '../measure/spread.ts';
import type { Scenario } from './scenario.ts';

const NAME = 'dictionaries';
const FOLDER = join(import.meta.dirname, '../../../tmp/bench/dictionaries');
/** Rendered by the example, and stored with its prerendered pages. */
const PRODUCTS = ['/products/1', '/products/2'];
/** A visit: the home page, the shop, two products, and the studio. */
const VISIT = ['/', '/catalog', ...PRODUCTS, '/about'];
/** The same pages when the visit begins at the shop, as one from a search engine does. */
const FROM_SHOP = ['/catalog', ...PRODUCTS, '/about', '/'];
const ENCODINGS = ['identity', 'gzip', 'br', 'dcb', 'dcz'] as const;
type Encoding = (typeof ENCODINGS)[number];

/** How often a page is asked for until it comes in its encoding; where that is not worth it, it stays in br. */
const TRIES = 100;
const TRY_EVERY_MS = 20;

/** What a client asks for, and what it has. */
interface Asked {
  readonly path: string;
  readonly dictionary?: Uint8Array | undefined;
}

async function bytesOf(origin: string, { path, dictionary }: Asked, encoding: Encoding) {
  const isEncodedWith = encoding.startsWith('dc') && dictionary !== undefined;
  const encodings = encoding.startsWith('dc') ? `br, ${encoding}` : encoding;
  const headers: Record<string, string> = { 'accept-encoding': encodings };
  if (isEncodedWith) {
    const digest = createHash('sha256').update(dictionary).digest('base64');
    headers['available-dictionary'] = `:${digest}:`;
  }
  for (let tries = 0; ; tries++) {
    const { body, headers: received } = await get(origin + path, headers);
    const isWanted = received['content-encoding'] === encoding;
    if (!isEncodedWith || isWanted || tries === TRIES) return body.byteLength;
    await wait(TRY_EVERY_MS);
  }
}

async function rowsOf(
  session: Session,
  work: string,
  folder: string,
  asked: readonly Asked[],
): Promise<Row[]> {
  const contestant: Contestant = {
    name: `ng-ssr node, ${work}`,
    runtime: 'node',
    command: [
      process.execPath,
      join(import.meta.dirname, '../contestants/dictionary-server.ts'),
      folder,
    ],
  };
  const { origin } = await session.server(contestant);
  const rows: Row[] = [];
  for (const encoding of ENCODINGS) {
    session.say(`${work}: ${encoding}`);
    let bytes = 0;
    for (const one of asked) bytes += await bytesOf(origin, one, encoding);
    rows.push({
      id: `${NAME}/${work}/${encoding}`,
      ...{ scenario: NAME, work, server: encoding, unit: 'bytes' },
      value: spreadOf([bytes]),
    });
  }
  await session.stopServers();
  return rows;
}

async function renderProducts(session: Session): Promise<Pages> {
  const { origin } = await session.server(ourServers()[0]!);
  const pages: Record<string, Uint8Array> = {};
  for (const path of PRODUCTS) pages[path] = (await get(origin + path)).body;
  await session.stopServers();
  return pages;
}

/** What a browser with dictionaries asks for after a deploy: the pages again, and the script that has changed. */
function afterDeploy({ first, scripts: [before, after] }: Deploy): Asked[] {
  const read = (path: string): Uint8Array => readFileSync(join(first, 'browser', path));
  return [
    ...VISIT.map((path) => ({ path, dictionary: read(join(path, 'index.html')) })),
    { path: after, dictionary: read(before) },
  ];
}

/** Bytes of content on the wire: a first visit to five pages, from two pages on, and the same visit after a deploy. */
export const dictionariesScenario: Scenario = {
  name: NAME,
  title:
    'bytes of five pages of the example, of the same from the shop on, and after a deploy of one line, in each encoding',
  async run(session) {
    const deploy = makeDeploy(FOLDER, await renderProducts(session));
    const home = readFileSync(join(deploy.first, 'browser/index.html'));
    const shop = readFileSync(join(deploy.first, 'browser/catalog/index.html'));
    const beginAt = (dictionary: Uint8Array, [landing, ...others]: readonly string[]): Asked[] => [
      { path: landing! },
      ...others.map((path) => ({ path, dictionary })),
    ];
    return [
      ...(await rowsOf(session, 'five pages', deploy.first, beginAt(home, VISIT))),
      ...(await rowsOf(session, 'from the shop', deploy.first, beginAt(shop, FROM_SHOP))),
      ...(await rowsOf(session, 'after a deploy', deploy.second, afterDeploy(deploy))),
    ];
  },
};
