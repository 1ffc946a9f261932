import { createHash } from 'node:crypto';
import { expect, it } from 'vitest';
import {
  type Edge,
  type EdgePage,
  type EngineSetup,
  withDictionaries,
  withEdge,
  withNonce,
} from '@ng-ssr/core';
import { availableDictionaryEncodings } from '../../../src/http/encode-with-dictionary.ts';
import { turn, useClock } from '../clock.ts';
import { html, type Seen, storedServer, type StoredServer } from '../stored-server.ts';

useClock();

const hasDictionaries = availableDictionaryEncodings().length > 0;
const PLACEHOLDER = 'bm9uY2UtaGVyZQ';
const nonce = { placeholder: PLACEHOLDER, policy: `script-src 'nonce-${PLACEHOLDER}'` };

/** Keeps pages that vary by nothing but these, as some edges do. */
function edgeFor(varies: readonly string[]): Edge & { readonly pages: EdgePage[] } {
  const pages: EdgePage[] = [];
  return {
    name: 'Fake',
    settleMs: 0,
    pages,
    noStoreHeaders: ['cdn-cache-control', 'no-store'],
    headersOf(page) {
      pages.push(page);
      if (!page.vary.every((name) => varies.includes(name))) return undefined;
      return ['cdn-cache-control', 'max-age=60', 'xkey', page.tags.join(' ')];
    },
    purge: () => Promise.resolve(),
  };
}

const LONG = 'a sentence that the home page and the others share. '.repeat(60);
/** Browsers may use it while it is stale, if no edge has taken that away. */
const SHARED = { 'cache-control': 's-maxage=60, stale-while-revalidate=60' };
const KEPT = { 'cache-control': 'max-age=30, s-maxage=60' };

interface Choice {
  readonly edge?: Edge;
  readonly nonce?: boolean;
  readonly dictionaries?: boolean;
}

/** Pages below `/filled` have a nonce; pages below `/kept`, and the home page, are kept by browsers. */
function serverWith(
  { edge, nonce: isFilled, dictionaries }: Choice,
  home: Readonly<Record<string, string>> = KEPT,
): StoredServer {
  const scriptOf = (setup?: EngineSetup): string => `<script nonce="${setup?.nonce?.secret}">`;
  const features = [
    ...(edge ? [withEdge(edge)] : []),
    ...(isFilled === true ? [withNonce(nonce)] : []),
    ...(dictionaries === true ? [withDictionaries()] : []),
  ];
  return storedServer(
    (request, count, _context, setup) => {
      const { pathname } = new URL(request.url);
      const isMarked = pathname.startsWith('/filled') || home === FILLED_HOME;
      return html(
        `${isMarked ? scriptOf(setup) : ''}${LONG}${count}`,
        pathname === '/' ? home : KEPT,
      );
    },
    { features },
  );
}

const FILLED_HOME = { ...KEPT };

/** The headers of a browser that has a page as a dictionary. */
function having({ body }: Seen): Readonly<Record<string, string>> {
  const hash = createHash('sha256').update(body!).digest('base64');
  return { 'accept-encoding': 'br, zstd, dcb, dcz', 'available-dictionary': `:${hash}:` };
}

/** What a browser with the home page gets, once its encoding could have been made. */
async function encodingFor(server: StoredServer, target: string, home: Seen): Promise<Seen> {
  for (let i = 0; i < 3; i++) await server.get(target, having(home));
  for (let turns = 0; turns < 50; turns++) await turn();
  return server.get(target, having(home));
}

const isFor = ({ header }: Seen): boolean => header('xkey') !== undefined;

it('edge and nonce: the edge keeps no page that is filled, and all others', async () => {
  const edge = edgeFor([]);
  const server = serverWith({ edge, nonce: true });
  for (let i = 0; i < 3; i++) {
    const filled = await server.get('/filled');
    expect([isFor(filled), filled.header('cdn-cache-control')]).toEqual([false, undefined]);
    expect(filled.header('cache-control')).toBe('private, no-store');
    expect(isFor(await server.get('/plain'))).toBe(true);
  }
  expect(edge.pages).toHaveLength(1);
});

it.runIf(hasDictionaries)(
  'edge and dictionaries: the edge is told that the page varies by dictionary, and keeps it if it can',
  async () => {
    for (const names of [['available-dictionary'], []]) {
      const edge = edgeFor(names);
      const server = serverWith({ edge, dictionaries: true });
      const home = await server.get('/');
      expect(edge.pages.map(({ vary }) => vary)).toEqual([['available-dictionary']]);
      expect(isFor(home)).toBe(names.length > 0);
      expect(home.header('use-as-dictionary')).toBe('match="/*", match-dest=("document")');
      const encoded = await encodingFor(server, '/other', home);
      expect(encoded.header('content-encoding')).toMatch(/^dc[bz]$/);
      expect(isFor(encoded)).toBe(names.length > 0);
    }
  },
);

it.runIf(hasDictionaries)(
  'edge and dictionaries: a page is a dictionary by the Cache-Control behind the edge',
  async () => {
    const offerBehind = async (edge: Edge | undefined): Promise<string | undefined> => {
      const server = serverWith({ dictionaries: true, ...(edge && { edge }) }, SHARED);
      return (await server.get('/')).header('use-as-dictionary');
    };
    const offer = 'match="/*", match-dest=("document")';
    expect(await offerBehind(undefined)).toBe(offer);
    // An edge that cannot keep it leaves its Cache-Control; one that keeps it has browsers validate.
    expect(await offerBehind(edgeFor([]))).toBe(offer);
    expect(await offerBehind(edgeFor(['available-dictionary']))).toBeUndefined();
  },
);

it.runIf(hasDictionaries)(
  'nonce and dictionaries: a page that is filled is no dictionary, and is not encoded against one',
  async () => {
    const server = serverWith({ nonce: true, dictionaries: true });
    const home = await server.get('/');
    expect(home.header('use-as-dictionary')).toBeDefined();
    const plain = await encodingFor(server, '/plain', home);
    expect(plain.header('content-encoding')).toMatch(/^dc[bz]$/);
    const filled = await encodingFor(server, '/filled', home);
    expect(filled.header('content-encoding')).toBeUndefined();
    expect(filled.header('vary')).toBe('Accept-Encoding');
    const other = serverWith({ nonce: true, dictionaries: true }, FILLED_HOME);
    expect((await other.get('/')).header('use-as-dictionary')).toBeUndefined();
  },
);

it.runIf(hasDictionaries)('edge, nonce and dictionaries on one server', async () => {
  const edge = edgeFor(['available-dictionary']);
  const server = serverWith({ edge, nonce: true, dictionaries: true });
  const home = await server.get('/');
  expect([isFor(home), home.header('use-as-dictionary') !== undefined]).toEqual([true, true]);
  const plain = await encodingFor(server, '/plain', home);
  expect([isFor(plain), plain.header('vary')]).toEqual([
    true,
    'Accept-Encoding, Available-Dictionary',
  ]);
  expect(plain.header('content-encoding')).toMatch(/^dc[bz]$/);
  const nonces = new Set<string>();
  for (let i = 0; i < 5; i++) {
    const filled = await server.get('/filled');
    expect([isFor(filled), filled.header('use-as-dictionary')]).toEqual([false, undefined]);
    const [, value] = /nonce="([^"]+)"/.exec(filled.text)!;
    expect(filled.header('content-security-policy')).toBe(`script-src 'nonce-${value}'`);
    nonces.add(value!);
  }
  expect(nonces.size).toBe(5);
});

it.skipIf(!hasDictionaries)(
  'a page that varies by cookies is no dictionary, whatever it varies by besides',
  async () => {
    for (const [vary, isOffered] of [
      ['Accept-Language', true],
      ['Cookie, Accept-Language', false],
    ] as const) {
      const server = serverWith({ dictionaries: true }, { ...KEPT, vary });
      await server.get('/');
      expect((await server.get('/')).header('use-as-dictionary') !== undefined, vary).toBe(
        isOffered,
      );
    }
  },
);
