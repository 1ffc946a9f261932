import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { SsrError } from '@ng-ssr/core';
import { createNodeSsrServer, withDictionaries } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { createHttp1Client, headerOf } from '../../conformance/src/client.ts';
import { decodeWith, having } from '../../conformance/src/dictionary-expectations.ts';
import { seededText } from '../../conformance/src/seeded-bytes.ts';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const BIN = join(import.meta.dirname, '../bin/ng-ssr.js');
const MAIN = seededText(40_000, 1);
const LARGE = seededText(1_200_000, 2);

/** Two builds of one application: a line has changed. */
const LAST = {
  'browser/index.html': prerendered(`Home ${seededText(9_000, 3)}`),
  'browser/about/index.html': prerendered(`About ${seededText(9_000, 3)}`),
  'browser/main-AAAAAAAA.js': `/* ${MAIN} */`,
  'browser/styles-AAAAAAAA.css': `/* ${MAIN.slice(0, 9_000)} */`,
  'browser/chunk-AAAAAAAA.js': `/* ${MAIN.slice(9_000)} */`,
  'browser/twice-AAAAAAAA.js': `/* ${MAIN} 1 */`,
  'browser/twice-AAAAAAAB.js': `/* ${MAIN} 2 */`,
};
const NEXT = {
  'browser/index.html': prerendered(`Home ${seededText(9_000, 3)} new`),
  'browser/about/index.html': prerendered(`About ${seededText(9_000, 3)} new`),
  'browser/main-BBBBBBBB.js': `/* ${MAIN} new */`,
  'browser/styles-AAAAAAAA.css': LAST['browser/styles-AAAAAAAA.css'],
  'browser/chunk-BBBBBBBB.js': `/* ${MAIN.slice(9_000)} new */`,
  'browser/twice-BBBBBBBB.js': `/* ${MAIN} 3 */`,
};

/** A script that is too large to be held in memory. */
const LAST_LARGE = { 'browser/large-AAAAAAAA.js': `/* ${LARGE} */` };
const NEXT_LARGE = { 'browser/large-BBBBBBBB.js': `/* ${LARGE} new */` };

/** Writes a build, and packs it against others. */
function pack(files: Readonly<Record<string, string>>, ...previous: readonly string[]): string {
  const folder = dirname(writeBuiltSite(files));
  const options = previous.flatMap((each) => ['--previous', each]);
  const { status, stderr } = spawnSync(process.execPath, [BIN, 'pack', folder, ...options], {
    encoding: 'utf8',
  });
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return folder;
}

async function start(folder: string, dictionaries = true) {
  const errors: SsrError[] = [];
  const server = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['shop.example'],
    onError: (error) => errors.push(error),
    files: { folder: join(folder, 'browser') },
    features: dictionaries ? [withDictionaries()] : [],
  });
  const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => server.close());
  const client = createHttp1Client(port);
  const ask = (target: string, headers: Record<string, string>) =>
    client.request({ target, headers });
  return { ask, errors };
}

const bytesOf = (files: Readonly<Record<string, string>>, path: string) =>
  Buffer.from(files[`browser/${path}`]!);

test('files come as their difference to those of the last build', async () => {
  const [last, next] = [
    { ...LAST, ...LAST_LARGE },
    { ...NEXT, ...NEXT_LARGE },
  ];
  const { ask, errors } = await start(pack(next, dirname(writeBuiltSite(last))));
  const home = bytesOf(LAST, 'index.html');
  for (const [target, path, dictionary] of [
    ['/main-BBBBBBBB.js', 'main-BBBBBBBB.js', bytesOf(LAST, 'main-AAAAAAAA.js')],
    ['/large-BBBBBBBB.js', 'large-BBBBBBBB.js', bytesOf(last, 'large-AAAAAAAA.js')],
    ['/', 'index.html', home],
    ['/about', 'about/index.html', home],
    ['/about', 'about/index.html', bytesOf(last, 'about/index.html')],
  ] as const) {
    const sizes: number[] = [];
    for (const encoding of ['dcb', 'dcz']) {
      const response = await ask(target, having(dictionary, encoding));
      expect([target, headerOf(response, 'content-encoding')]).toEqual([target, encoding]);
      expect(decodeWith(dictionary, response).equals(bytesOf(next, path))).toBe(true);
      expect(response.body.length).toBeLessThan(200);
      sizes.push(response.body.length);
      expect(headerOf(response, 'vary')).toBe('Accept-Encoding, Available-Dictionary');
      const tag = headerOf(response, 'etag') ?? '';
      expect(tag).toMatch(/^"/);
      const again = await ask(target, { ...having(dictionary, encoding), 'if-none-match': tag });
      expect(again.status).toBe(304);
      const other = await ask(target, { 'accept-encoding': 'br', 'if-none-match': tag });
      expect([other.status, headerOf(other, 'content-encoding')]).toEqual([200, 'br']);
      const elsewhere = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors' };
      const foreign = await ask(target, { ...having(dictionary, `br, ${encoding}`), ...elsewhere });
      expect(headerOf(foreign, 'content-encoding')).toBe('br');
    }
    const smallest = await ask(target, having(dictionary));
    expect(smallest.body.length).toBe(Math.min(...sizes));
  }
  expect(errors).toEqual([]);
});

test('names that several files have, lazy chunks and unchanged files have no difference', () => {
  const folder = pack(NEXT, dirname(writeBuiltSite(LAST)));
  const { files } = JSON.parse(readFileSync(join(folder, 'ng-ssr/pack.json'), 'utf8')) as {
    files: { path: string; withDictionary?: unknown }[];
  };
  const encoded = files.filter(({ withDictionary }) => withDictionary !== undefined);
  expect(encoded.map(({ path }) => path)).toEqual([
    '/about/index.html',
    '/index.html',
    '/main-BBBBBBBB.js',
  ]);
});

test('two earlier builds, and the same pack each time', async () => {
  const before = { ...LAST, 'browser/main-99999A99.js': `/* ${MAIN} older */` };
  const { 'browser/main-AAAAAAAA.js': _main, ...older } = before;
  const previous = [dirname(writeBuiltSite(LAST)), dirname(writeBuiltSite(older))];
  const [folder, again] = [pack(NEXT, ...previous), pack(NEXT, ...previous)];
  for (const file of ['ng-ssr/pack.json', 'ng-ssr/pack.bin']) {
    expect(readFileSync(join(folder, file)).equals(readFileSync(join(again, file)))).toBe(true);
  }
  const { ask } = await start(folder);
  for (const main of [LAST['browser/main-AAAAAAAA.js'], before['browser/main-99999A99.js']]) {
    const response = await ask('/main-BBBBBBBB.js', having(Buffer.from(main)));
    expect(headerOf(response, 'content-encoding')).toBe('dcb');
  }
});

test('without the option, and with bytes that have changed, files come as ever', async () => {
  const folder = pack(NEXT, dirname(writeBuiltSite(LAST)));
  const headers = having(bytesOf(LAST, 'main-AAAAAAAA.js'));
  const plain = await start(folder, false);
  const response = await plain.ask('/main-BBBBBBBB.js', headers);
  expect(headerOf(response, 'content-encoding')).toBe('br');
  expect(headerOf(response, 'vary')).toBe('Accept-Encoding');
  expect(plain.errors).toEqual([]);

  const manifest = JSON.parse(readFileSync(join(folder, 'ng-ssr/pack.json'), 'utf8')) as {
    files: { path: string; withDictionary?: { encodings: { dcb: { at: number } } }[] }[];
  };
  const { at } = manifest.files.find(({ path }) => path === '/main-BBBBBBBB.js')!
    .withDictionary![0]!.encodings.dcb;
  const bytes = readFileSync(join(folder, 'ng-ssr/pack.bin'));
  bytes[at + 40]! ^= 1;
  writeFileSync(join(folder, 'ng-ssr/pack.bin'), bytes);
  const damaged = await start(folder);
  expect(damaged.errors).toMatchObject([{ code: 'NG_SSR_PACK_INVALID' }]);
  const other = await damaged.ask('/main-BBBBBBBB.js', headers);
  expect(headerOf(other, 'content-encoding')).toBe('dcz');
});

test.each([
  ['name', (one: { dictionary: unknown }) => (one.dictionary = 'x')],
  ['list of encodings', (one: { encodings: unknown }) => (one.encodings = null)],
  [
    'place',
    (one: { encodings: unknown }) => (one.encodings = { dcb: { at: -1, bytes: 1, tag: '' } }),
  ],
])('a manifest with a dictionary whose %s is wrong is not used', async (_name, change) => {
  const folder = pack(NEXT, dirname(writeBuiltSite(LAST)));
  const path = join(folder, 'ng-ssr/pack.json');
  const manifest = JSON.parse(readFileSync(path, 'utf8')) as {
    files: { withDictionary?: { dictionary: unknown; encodings: unknown }[] }[];
  };
  change(manifest.files.find(({ withDictionary }) => withDictionary)!.withDictionary![0]!);
  writeFileSync(path, JSON.stringify(manifest));
  const { errors } = await start(folder);
  expect(errors).toMatchObject([{ code: 'NG_SSR_PACK_INVALID' }]);
});

test('an earlier build that is no folder: exit code 1 with a message', () => {
  const folder = dirname(writeBuiltSite(NEXT));
  const args = [BIN, 'pack', folder, '--previous', '/nowhere/dist'];
  const { status, stderr } = spawnSync(process.execPath, args, { encoding: 'utf8' });
  expect(status).toBe(1);
  expect(stderr).toContain('--previous: /nowhere/dist/browser is not a folder');
});
