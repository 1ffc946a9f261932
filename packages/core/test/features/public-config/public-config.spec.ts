import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { expect, test, vi } from 'vitest';
import {
  type EngineSetup,
  type PageStore,
  type SsrError,
  type SsrOptions,
  withNonce,
  withPublicConfig,
  withSharedStore,
} from '@ng-ssr/core';
import { insertPublicConfig } from '@ng-ssr/core';
import { type Answer, type StreamedAnswer, SsrHandler } from '@ng-ssr/core/adapter';
import { headerOf } from '../../header-of.ts';
import { writeBuiltSite } from '../../built-site.ts';
import { countWork } from '../../path/count-work.ts';
import { packSite } from '../../files/pack/pack-site.ts';
import { plainExchange } from '../../plain-exchange.ts';

const WORDS = 'words of a page '.repeat(300);
const page = (title: string): string =>
  `<!doctype html><html><head><meta charset="utf-8"><title>${title}</title></head><body>` +
  `<app-root ng-server-context="ssg">${title} ${WORDS}</app-root></body></html>`;

const BUILD: Readonly<Record<string, string>> = {
  'prerendered-routes.json': JSON.stringify({ routes: { '/': {}, '/about': {} } }),
  'browser/index.html': page('home'),
  'browser/about/index.html': page('about'),
  'browser/index.csr.html': page('csr').replace(' ng-server-context="ssg"', ''),
  'browser/404.html': page('nothing here').replace(' ng-server-context="ssg"', ''),
  'browser/legal.html': '<p>a fragment</p>',
  'browser/main-5INURTSO.js': `export const words = "${WORDS}";`,
};
const PAGES = [
  ...['/', '/about', '/index.csr.html', '/no/such/page', '/client', '/rendered', '/stored'],
];
const A = { stage: 'a', flags: { newCart: true } };
const B = { stage: 'b', flags: { newCart: true } };
const textOf = (config: object): string => `id="ng-ssr-config">${JSON.stringify(config)}</script>`;

/** Renders into a document, as the engines do. */
function createEngine() {
  let setup: EngineSetup | undefined;
  const respond = (title: string, init?: ResponseInit): Response => {
    const headers = { 'Content-Type': 'text/html; charset=utf-8', ...init?.headers };
    const html = insertPublicConfig(page(title), setup!.publicConfig);
    return new Response(html, { ...init, headers });
  };
  const client = { status: 200, headers: [], content: page('client') };
  return Object.assign(
    ({ url }: Request) => {
      const { pathname } = new URL(url);
      if (pathname === '/no/such/page') return null;
      if (pathname !== '/stored') return respond(pathname);
      return respond('stored', { headers: { 'Cache-Control': 's-maxage=600' } });
    },
    {
      setup: (given: EngineSetup) => void (setup = given),
      constantPages: async () => ({
        pages: [client],
        find: (path: string) => (path === '/client' ? client : undefined),
      }),
    },
  );
}

async function start(
  publicConfig: object | undefined,
  folder: string,
  options: Partial<SsrOptions> = {},
) {
  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine: createEngine(),
    allowedHosts: ['localhost'],
    onError: (error) => errors.push(error),
    ...options,
    features: [
      ...(publicConfig ? [withPublicConfig(publicConfig)] : []),
      ...(options.features ?? []),
    ],
    files: { folder, ...options.files },
  });
  await handler.ready();
  const ask = async (
    target: string,
    headers: Readonly<Record<string, string>> = {},
  ): Promise<Answer> => {
    const exchange = plainExchange(target, { accept: 'text/html', ...headers });
    const file = handler.answer(exchange) ?? (await handler.largeFile(exchange));
    if (file !== undefined) return toWhole(file);
    return (await handler.render(exchange)) ?? handler.notFound(exchange);
  };
  return { handler, errors, ask };
}

async function toWhole(answer: Answer | StreamedAnswer): Promise<Answer> {
  if (!('content' in answer)) return answer;
  const chunks: Uint8Array[] = [];
  for (let chunk = await answer.content.read(); chunk; chunk = await answer.content.read()) {
    chunks.push(chunk);
  }
  return { status: answer.status, headers: answer.headers, body: Buffer.concat(chunks) };
}

const decode = {
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
  gzip: gunzipSync,
  identity: (bytes: Uint8Array) => bytes,
};

test('every page of a stage has its configuration, in every encoding, and its own tags', async () => {
  const folder = writeBuiltSite(BUILD);
  const [none, a, b] = await Promise.all([undefined, A, B].map((config) => start(config, folder)));
  for (const target of PAGES) {
    await Promise.all([none, a, b].map((stage) => stage!.ask(target)));
    for (const encoding of ['br', 'zstd', 'gzip', 'identity'] as const) {
      const [bare, ofA, ofB] = await Promise.all(
        [none, a, b].map(async (stage) => {
          // Encodings of stored pages are made once they are asked for.
          const answer = await vi.waitFor(async () => {
            const answer = await stage!.ask(target, { 'accept-encoding': encoding });
            expect(headerOf(answer, 'content-encoding') ?? 'identity', target).toBe(encoding);
            return answer;
          });
          expect(headerOf(answer, 'content-length')).toBe(String(answer.body!.byteLength));
          return { ...answer, text: Buffer.from(decode[encoding](answer.body!)).toString() };
        }),
      );
      expect(bare!.text, target).not.toContain('ng-ssr-config');
      for (const [answer, config] of [
        [ofA!, A],
        [ofB!, B],
      ] as const) {
        const element = `<script type="application/json" ${textOf(config)}`;
        expect(answer.text).toBe(bare!.text.replace('<title>', `${element}<title>`));
      }
      expect(new Set([bare, ofA, ofB].map((answer) => headerOf(answer!, 'etag'))).size).toBe(3);
    }
  }
  for (const { errors } of [none!, a!, b!]) expect(errors).toEqual([]);
  const script = await Promise.all([none!, a!].map(({ ask }) => ask('/main-5INURTSO.js')));
  expect(headerOf(script[0]!, 'etag')).toBe(headerOf(script[1]!, 'etag'));
  expect(headerOf(script[1]!, 'last-modified')).toBeDefined();
  expect(Buffer.from((await a!.ask('/legal.html')).body!).toString()).toBe('<p>a fragment</p>');
});

test.each(PAGES.filter((target) => target !== '/no/such/page'))(
  '%s: a page of one stage never validates as a page of another',
  async (target) => {
    const folder = writeBuiltSite(BUILD);
    const [a, b] = await Promise.all([A, B].map((config) => start(config, folder)));
    for (const encoding of ['br', 'gzip', 'identity']) {
      const accept = { 'accept-encoding': encoding };
      for (const [own, other, config] of [
        [a!, b!, B],
        [b!, a!, A],
      ] as const) {
        const answer = await own.ask(target, accept);
        const tag = headerOf(answer, 'etag')!;
        expect(await own.ask(target, { ...accept, 'if-none-match': tag })).toMatchObject({
          status: 304,
        });
        const foreign = await other.ask(target, { ...accept, 'if-none-match': tag });
        expect(foreign.status).toBe(200);
        if (encoding === 'identity')
          expect(Buffer.from(foreign.body!).toString()).toContain(textOf(config));
        // The file is as old in both.
        expect(headerOf(answer, 'last-modified')).toBeUndefined();
        const later = new Date(Date.now() + 60_000).toUTCString();
        expect(await other.ask(target, { ...accept, 'if-modified-since': later })).toMatchObject({
          status: 200,
        });
      }
    }
  },
);

test('a packed build: what has the configuration is encoded at start, all else comes from the pack', async () => {
  const browser = writeBuiltSite(BUILD);
  writeFileSync(join(browser, 'about/index.html.br'), 'the encoding of another text');
  await packSite(browser);
  const { ask, errors } = await start(A, browser);
  expect(errors).toEqual([]);
  for (const target of ['/', '/about']) {
    const answer = await ask(target, { 'accept-encoding': 'br' });
    expect(brotliDecompressSync(answer.body!).toString()).toContain(textOf(A));
  }
  expect(
    headerOf(await ask('/main-5INURTSO.js', { 'accept-encoding': 'br' }), 'content-encoding'),
  ).toBe('br');
});

test('a page that does not fit into memory is rendered, with one notice', async () => {
  const browser = writeBuiltSite({
    ...BUILD,
    'browser/manual.html': `<!doctype html><p>${WORDS}${WORDS}`,
  });
  for (const maxBytes of [{ maxFileBytes: 100 }, { maxBytes: 100 }]) {
    const { handler, ask, errors } = await start(A, browser, {
      files: { folder: browser, ...maxBytes },
    });
    const [notice, ...more] = errors.filter(({ code }) => code === 'NG_SSR_PUBLIC_CONFIG_NOTICE');
    expect(more).toEqual([]);
    expect(notice!.message).toContain('/about/index.html');
    expect(notice!.message).not.toContain('manual.html');
    expect(Buffer.from((await ask('/about')).body!).toString()).toContain(textOf(A));
    expect(handler.largeFile(plainExchange('/about'))).toBeUndefined();
    // No page of the application: it is sent as it is.
    expect(handler.largeFile(plainExchange('/manual.html'))).toBeDefined();
  }
});

test('the memory of pages counts the configuration in each', async () => {
  const files: Record<string, string> = {};
  for (let i = 0; i < 10; i++) files[`browser/p${i}/index.html`] = page(String(i));
  const browser = writeBuiltSite(files);
  const config = { text: 'x'.repeat(60_000) };
  const { errors } = await start(config, browser, {
    files: { folder: browser, maxBytes: 200_000 },
  });
  const notice = errors.find(({ code }) => code === 'NG_SSR_PUBLIC_CONFIG_NOTICE')!;
  // Of the seven that have no room, it names five.
  expect(notice.message.match(/index\.html/g)).toHaveLength(5);
  expect(notice.message).toContain(' and 2 more: too large');
});

test('a nonce goes into the page beside it, and what looks like a nonce in it stays', async () => {
  const placeholder = 'bm9uY2UtaGVyZQ';
  const browser = writeBuiltSite({
    'prerendered-routes.json': BUILD['prerendered-routes.json']!,
    'browser/index.html': page('home').replace(
      '<title>',
      `<style nonce="${placeholder}"></style><title>`,
    ),
  });
  const nonce = { placeholder, policy: `script-src 'nonce-${placeholder}'` };
  const config = { hint: ` <b nonce="${placeholder}" nonce='${placeholder}' nonce='abc'>` };
  const { ask, errors } = await start(config, browser, { features: [withNonce(nonce)] });
  for (const target of ['/', '/rendered']) {
    const text = Buffer.from((await ask(target)).body!).toString();
    expect(JSON.parse(/config">(.*?)<\/script>/.exec(text)![1]!)).toEqual(config);
    expect(text).not.toContain(`<style nonce="${placeholder}">`);
  }
  // A page with a nonce of one answer would not be stored.
  await ask('/stored');
  expect(headerOf(await ask('/stored'), 'cache-status')).toMatch(/^ng-ssr; hit/);
  expect(errors).toEqual([]);
});

test('stages share no stored pages, though the build or its id is the same', async () => {
  const browser = writeBuiltSite(BUILD);
  const ids = async (publicConfig: object | undefined, buildId?: string): Promise<string> => {
    let opened = '';
    const store = {
      open: ({ buildId: id }: { buildId: string }) => void (opened = id),
      version: () => 0,
      get: async () => undefined,
      set: async () => undefined,
      delete: async () => undefined,
      purge: async () => undefined,
      lease: async () => undefined,
      close: async () => undefined,
    } as unknown as PageStore;
    const { handler } = await start(publicConfig, browser, {
      features: [withSharedStore(store, { buildId })],
    });
    await handler.close();
    return opened;
  };
  const all = [
    await ids(undefined),
    await ids(A),
    await ids(B),
    await ids(A, 'v1'),
    await ids(B, 'v1'),
  ];
  expect(new Set(all).size).toBe(all.length);
  expect(await ids({ ...A })).toBe(all[1]);
  expect(await ids(undefined, 'v1')).toBe('v1');
});

test('a hit does the same work with it: none', async () => {
  const { handler, ask } = await start(A, writeBuiltSite(BUILD));
  for (const target of ['/', '/stored']) {
    for (const headers of [{}, { 'accept-encoding': 'br' }, { 'if-none-match': '"a"' }]) {
      await ask(target, headers);
      let answer: unknown;
      const exchange = plainExchange(target, headers);
      const work = countWork(() => void (answer = handler.answer(exchange)));
      expect(answer).toMatchObject({ status: 200 });
      expect(work).toEqual({});
    }
  }
});

test('a document with another base than UTF-8 keeps its bytes', async () => {
  const latin1 = Buffer.from(page('å').replace('utf-8', 'iso-8859-1'), 'latin1');
  const browser = writeBuiltSite({ 'browser/index.html': page('home') });
  mkdirSync(join(browser, 'old'));
  writeFileSync(join(browser, 'old/index.html'), latin1);
  const { ask } = await start({ city: 'Århus' }, browser);
  const text = Buffer.from((await ask('/old')).body!).toString('latin1');
  expect(text).toContain('config">{"city":"\\u00c5rhus"}</script><title>å');
});

test('a service worker finds the hashes of what is sent in its manifest', async () => {
  const sha1 = (content: Uint8Array | string): string =>
    createHash('sha1').update(content).digest('hex');
  const names = ['index.csr.html', 'index.html', 'main-5INURTSO.js'];
  const hashTable = Object.fromEntries(
    names.map((name) => [`/${name}`, sha1(BUILD[`browser/${name}`]!)]),
  );
  const manifest = JSON.stringify({ configVersion: 1, index: '/index.csr.html', hashTable });
  const browser = writeBuiltSite({ ...BUILD, 'browser/ngsw.json': manifest });
  for (const config of [A, B, undefined]) {
    const { ask } = await start(config, browser);
    const answer = await ask('/ngsw.json');
    const sent = JSON.parse(Buffer.from(answer.body!).toString()) as { hashTable: object };
    expect(Object.keys(sent.hashTable)).toEqual(names.map((name) => `/${name}`));
    for (const [path, hash] of Object.entries(sent.hashTable)) {
      expect(hash, path).toBe(sha1((await ask(path)).body!));
    }
    expect(headerOf(answer, 'last-modified') === undefined).toBe(config !== undefined);
    if (config === undefined) expect(Buffer.from(answer.body!).toString()).toBe(manifest);
  }
});

test('a manifest of a service worker has no hash of what is never sent', async () => {
  const sha1 = (content: Uint8Array | string): string =>
    createHash('sha1').update(content).digest('hex');
  // No page, and too large for memory: it is sent as it was built.
  const large = page('large').replace(' ng-server-context="ssg"', '').repeat(3);
  const files = { ...BUILD, 'browser/help/large.html': large };
  const names = ['index.csr.html', 'help/large.html'] as const;
  const hashTable = Object.fromEntries(
    names.map((name) => [`/${name}`, sha1(files[`browser/${name}` as keyof typeof files])]),
  );
  // Larger than memory takes, too.
  const padding = 'x'.repeat(20_000);
  const manifest = JSON.stringify({ configVersion: 1, hashTable, padding });
  const browser = writeBuiltSite({ ...files, 'browser/ngsw.json': manifest });
  const { ask } = await start(A, browser, { files: { maxFileBytes: 8_000 } });
  const answer = await ask('/ngsw.json');
  const sent = JSON.parse(Buffer.from(answer.body!).toString()) as { hashTable: object };
  for (const [path, hash] of Object.entries(sent.hashTable)) {
    expect(hash, path).toBe(sha1((await ask(path)).body!));
  }
  expect(Object.entries(sent.hashTable)).not.toEqual(Object.entries(hashTable));
});
