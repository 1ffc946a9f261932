import { createHook } from 'node:async_hooks';
import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { type IncomingHttpHeaders, request } from 'node:http';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { type SsrError, type SsrOptions, withNonce } from '@ng-ssr/core';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const BIN = join(import.meta.dirname, '../bin/ng-ssr.js');
const ENCODINGS = ['br', 'zstd', 'gzip', 'identity', 'gzip, deflate, br, zstd', 'deflate'];
const WORDS = 'some words that repeat themselves, '.repeat(200);
const MIB = 1024 * 1024;

/** A build with files of every kind; the images and the empty file have no encodings, nor has the tiny one. */
const BUILD: Readonly<Record<string, string | Uint8Array>> = {
  'browser/index.html': prerendered(WORDS),
  'browser/about/index.html': prerendered(`about ${WORDS}`),
  'browser/index.csr.html': `<!doctype html><app-root></app-root>${WORDS}`,
  'browser/main-5INURTSO.js': `export const words = "${WORDS}";`,
  'browser/styles.css': `body { color: red } ${'.a { color: blue }'.repeat(100)}`,
  'browser/empty.txt': '',
  'browser/tiny.txt': 'a',
  'browser/two words.txt': WORDS,
  'browser/größe/日本 #?%41.txt': `Größe ${WORDS}`,
  'browser/photo.png': Uint8Array.from({ length: 5000 }, (_, at) => (at * at) % 251),
  'browser/large.csv': 'one,two,three\n'.repeat((1.5 * MIB) / 14),
};

const PATHS = [
  ...[
    ...['/', '/about', '/about/', '/index.html', '/index.csr.html', '/main-5INURTSO.js'],
    '/styles.css',
  ],
  ...['/empty.txt', '/tiny.txt', '/two%20words.txt', '/photo.png', '/large.csv'],
  `/${encodeURIComponent('größe')}/${encodeURIComponent('日本 #?%41.txt')}`,
];

/** A build folder, without a pack. */
function build(files: Readonly<Record<string, string | Uint8Array>> = BUILD): string {
  return dirname(writeBuiltSite(files));
}

function ngSsr(...args: readonly string[]) {
  const { status, stdout, stderr } = spawnSync(process.execPath, [BIN, ...args], {
    encoding: 'utf8',
  });
  return { status, stdout, stderr };
}

/** The build with its pack, which most tests change. */
function packed(): string {
  if (!existsSync(join(template, 'ng-ssr'))) cpSync(pack(BUILD), template, { recursive: true });
  const folder = build({});
  cpSync(template, folder, { recursive: true });
  return folder;
}

function pack(files: Readonly<Record<string, string | Uint8Array>>): string {
  const folder = build(files);
  const { status, stderr } = ngSsr('pack', folder);
  expect({ status, stderr }).toMatchObject({ status: 0 });
  return folder;
}

const template = mkdtempSync(join(tmpdir(), 'ng-ssr-packed-'));
afterAll(() => rmSync(template, { recursive: true }));

interface Manifest {
  format: unknown;
  bytes: number;
  files: {
    path: string;
    bytes: number;
    tag: string;
    encodings: Record<string, { at: number; bytes: number; tag: string } | null>;
  }[];
}

function manifestOf(folder: string): Manifest {
  return JSON.parse(readFileSync(join(folder, 'ng-ssr/pack.json'), 'utf8')) as Manifest;
}

function changeManifest(folder: string, change: (manifest: Manifest) => void): void {
  const manifest = manifestOf(folder);
  change(manifest);
  writeFileSync(join(folder, 'ng-ssr/pack.json'), JSON.stringify(manifest));
}

async function start(folder: string, options: Partial<SsrOptions> = {}) {
  const errors: SsrError[] = [];
  const server = createNodeSsrServer({
    engine: () => null,
    allowedHosts: ['localhost', '127.0.0.1'],
    onError: (error) => errors.push(error),
    ...options,
    files: { folder: join(folder, 'browser'), ...options.files },
  });
  const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => server.close());
  const ask = (path: string, headers: Readonly<Record<string, string>> = {}) =>
    get(port, path, headers);
  return { server, errors, ask };
}

interface RawAnswer {
  readonly status: number | undefined;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
}

function get(
  port: number,
  path: string,
  headers: Readonly<Record<string, string>>,
): Promise<RawAnswer> {
  return new Promise((resolve, reject) => {
    const sent = request({ port, host: '127.0.0.1', path, headers, agent: false }, (response) => {
      const chunks: Buffer[] = [];
      response.on('data', (chunk: Buffer) => chunks.push(chunk));
      response.on('end', () => {
        const { statusCode: status, headers } = response;
        delete headers.date;
        resolve({ status, headers, body: Buffer.concat(chunks) });
      });
    });
    sent.on('error', reject).end();
  });
}

const decode: Record<string, (body: Buffer) => Buffer> = {
  br: brotliDecompressSync,
  gzip: gunzipSync,
  zstd: zstdDecompressSync,
};

function contentOf({ headers, body }: RawAnswer): string {
  const encoding = headers['content-encoding'];
  return String(encoding === undefined ? body : decode[encoding]!(body));
}

/** Every answer that differs in none of its headers and bytes, over all files and encodings. */
async function allAnswers(ask: Awaited<ReturnType<typeof start>>['ask']) {
  const answers: Record<string, object> = {};
  for (const path of PATHS) {
    for (const encoding of ENCODINGS) {
      const answer = await ask(path, { 'accept-encoding': encoding });
      answers[`${path} ${encoding}`] = { ...answer, body: answer.body.toString('base64') };
      const { etag } = answer.headers;
      if (etag === undefined) continue;
      const headers = { 'accept-encoding': encoding, 'if-none-match': etag };
      answers[`${path} ${encoding} again`] = await ask(path, headers);
    }
  }
  return answers;
}

test('the first answers after listen are encoded, and nothing is left to do', async () => {
  const folder = packed();
  let encoders = 0;
  const hook = createHook({ init: (_id, type) => void (type === 'ZLIB' && encoders++) }).enable();
  const { server, ask, errors } = await start(folder);
  for (const path of ['/', '/main-5INURTSO.js', '/two%20words.txt', '/large.csv']) {
    for (const encoding of ['br', 'zstd', 'gzip']) {
      const answer = await ask(path, { 'accept-encoding': encoding });
      expect([path, answer.headers['content-encoding']]).toEqual([path, encoding]);
    }
  }
  await server.ready();
  hook.disable();
  expect(encoders).toBe(0);
  expect(errors).toEqual([]);
});

test('every answer is that of an unpacked server after it has made its encodings', async () => {
  const plain = build();
  const copy = join(plain, 'copy');
  cpSync(join(plain, 'browser'), join(copy, 'browser'), {
    recursive: true,
    preserveTimestamps: true,
  });
  expect(ngSsr('pack', copy).status).toBe(0);
  const unpacked = await start(plain);
  const whole = await start(copy);
  const atOnce = await allAnswers(whole.ask);
  await unpacked.server.ready();
  const later = await allAnswers(unpacked.ask);
  expect(
    Object.values(later).filter((answer) => (answer as RawAnswer).status === 304).length,
  ).toBeGreaterThan(50);
  expect(atOnce).toEqual(later);
  expect([...unpacked.errors, ...whole.errors]).toEqual([]);
});

describe('a pack that does not fit', () => {
  test('changed and new files are in one notice, and have the right bytes', async () => {
    const folder = packed();
    writeFileSync(join(folder, 'browser/styles.css'), `/* ${WORDS} */`);
    // The same size: only the tag tells.
    const large = String(BUILD['browser/large.csv']).replaceAll('two', 'TWO');
    writeFileSync(join(folder, 'browser/large.csv'), large);
    for (let i = 0; i < 6; i++) writeFileSync(join(folder, `browser/new-${i}.txt`), `${i}${WORDS}`);
    rmSync(join(folder, 'browser/two words.txt'));
    const { server, ask, errors } = await start(folder);
    expect(errors).toMatchObject([{ code: 'NG_SSR_PACK_STALE' }]);
    expect(errors[0]!.message).toMatch(/^8 files, .* and 3 more: /);
    expect(contentOf(await ask('/styles.css', { 'accept-encoding': 'br' }))).toContain(WORDS);
    expect(contentOf(await ask('/large.csv', { 'accept-encoding': 'br' }))).toBe(large);
    const same = await ask('/', { 'accept-encoding': 'br' });
    expect(same.headers['content-encoding']).toBe('br');
    await server.ready();
    for (const [path, content] of [
      ['/styles.css', `/* ${WORDS} */`],
      ['/large.csv', large],
      ['/new-5.txt', `5${WORDS}`],
    ] as const) {
      const answer = await ask(path, { 'accept-encoding': 'br' });
      expect([answer.headers['content-encoding'], contentOf(answer)]).toEqual(['br', content]);
    }
    expect(errors).toHaveLength(1);
  });

  test('encodings whose bytes have changed are not sent', async () => {
    const folder = packed();
    const file = join(folder, 'ng-ssr/pack.bin');
    const bytes = readFileSync(file);
    const { files } = manifestOf(folder);
    const place = files.find(({ path }) => path === '/main-5INURTSO.js')!.encodings['br']!;
    bytes[place.at + 5]! ^= 1;
    writeFileSync(file, bytes);
    const { server, ask, errors } = await start(folder);
    expect(errors).toMatchObject([{ code: 'NG_SSR_PACK_INVALID' }]);
    expect(errors[0]!.message).toContain('/main-5INURTSO.js');
    const headers = { 'accept-encoding': 'br' };
    const script = BUILD['browser/main-5INURTSO.js'];
    expect(contentOf(await ask('/main-5INURTSO.js', headers))).toBe(script);
    await server.ready();
    const later = await ask('/main-5INURTSO.js', headers);
    expect([later.headers['content-encoding'], contentOf(later)]).toEqual(['br', script]);
    expect(errors).toHaveLength(1);
  });

  test.each<[string, (folder: string) => void]>([
    ['truncated encodings', (folder) => truncateSync(join(folder, 'ng-ssr/pack.bin'), 100)],
    ['encodings that have grown', (folder) => appendFileSync(join(folder, 'ng-ssr/pack.bin'), 'x')],
    ['no encodings', (folder) => rmSync(join(folder, 'ng-ssr/pack.bin'))],
    [
      'a folder in place of the encodings',
      (folder) => {
        rmSync(join(folder, 'ng-ssr/pack.bin'));
        mkdirSync(join(folder, 'ng-ssr/pack.bin'));
      },
    ],
    ['no JSON', (folder) => truncateSync(join(folder, 'ng-ssr/pack.json'), 200)],
    [
      'a folder in place of the manifest',
      (folder) => {
        rmSync(join(folder, 'ng-ssr/pack.json'));
        mkdirSync(join(folder, 'ng-ssr/pack.json'));
      },
    ],
    ['an empty manifest', (folder) => writeFileSync(join(folder, 'ng-ssr/pack.json'), '')],
    ['null', (folder) => writeFileSync(join(folder, 'ng-ssr/pack.json'), 'null')],
    ['another format', (folder) => changeManifest(folder, (one) => (one.format = 1))],
    ['no files', (folder) => changeManifest(folder, (one) => (one.files = {} as never))],
    ['a file twice', (folder) => changeManifest(folder, (one) => one.files.push(one.files[0]!))],
    ...(
      [
        ['a negative offset', (place) => (place.at = -1)],
        ['an offset past the end', (place) => (place.at = 1e9)],
        ['a length past the end', (place) => (place.bytes = Number.MAX_SAFE_INTEGER)],
        ['an offset that is no whole number', (place) => (place.at = 0.5)],
        ['an offset that is text', (place) => (place.at = '0' as never)],
        ['a length of nothing', (place) => (place.bytes = 0)],
        ['a tag that is a number', (place) => (place.tag = 1 as never)],
      ] as [string, (place: { at: number; bytes: number; tag: string }) => void][]
    ).map(([name, change]): [string, (folder: string) => void] => [
      name,
      (folder) => changeManifest(folder, (one) => change(one.files[0]!.encodings['br']!)),
    ]),
  ])('%s: one notice, and a start as without a pack', async (_name, damage) => {
    const folder = packed();
    damage(folder);
    const { server, ask, errors } = await start(folder);
    expect(errors).toMatchObject([{ code: 'NG_SSR_PACK_INVALID' }]);
    expect(errors[0]!.message).toContain(join(folder, 'ng-ssr/pack.json'));
    expect(contentOf(await ask('/', { 'accept-encoding': 'br' }))).toBe(
      BUILD['browser/index.html'],
    );
    await server.ready();
    const answer = await ask('/', { 'accept-encoding': 'br' });
    expect(answer.headers['content-encoding']).toBe('br');
    expect(contentOf(answer)).toBe(BUILD['browser/index.html']);
    expect(errors).toHaveLength(1);
  });

  test('paths of a hostile manifest lead nowhere', async () => {
    const folder = packed();
    const secret = join(folder, 'secret.txt');
    writeFileSync(secret, 'secret');
    const paths = ['/../secret.txt', '../secret.txt', secret, '/__proto__', '__proto__', ''];
    changeManifest(folder, ({ files }) => {
      for (const path of paths) files.push({ ...files[0]!, path });
    });
    const { ask, errors } = await start(folder);
    for (const path of [
      '/../secret.txt',
      '/..%2fsecret.txt',
      secret,
      '/__proto__',
      '/secret.txt',
    ]) {
      const answer = await ask(path, { 'accept-encoding': 'br' });
      expect([path, [400, 404].includes(answer.status!)]).toEqual([path, true]);
      expect(String(answer.body)).not.toContain('secret');
    }
    expect((await ask('/', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
    expect(errors).toEqual([]);
  });

  test('the encoding of another file is right only if the tag says so: exchanged ones are found', async () => {
    const folder = packed();
    changeManifest(folder, ({ files }) => {
      const [one, other] = files.filter(({ encodings }) => encodings['br']);
      const place = one!.encodings['br']!;
      // The offset and length of another file, with the tag of this one.
      one!.encodings['br'] = { ...other!.encodings['br']!, tag: place.tag };
    });
    const { errors } = await start(folder);
    expect(errors).toMatchObject([{ code: 'NG_SSR_PACK_INVALID' }]);
  });
});

describe('options', () => {
  test('encodings that files.encodings lacks are not sent', async () => {
    const { server, ask, errors } = await start(packed(), { files: { encodings: ['gzip'] } });
    const headers = { 'accept-encoding': 'br, zstd, gzip' };
    expect((await ask('/', headers)).headers['content-encoding']).toBe('gzip');
    await server.ready();
    expect(
      (await ask('/', { 'accept-encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('without encodings a pack is not even read', async () => {
    const folder = packed();
    writeFileSync(join(folder, 'ng-ssr/pack.json'), 'no JSON');
    const { ask, errors } = await start(folder, { files: { encodings: [] } });
    expect(
      (await ask('/', { 'accept-encoding': 'br' })).headers['content-encoding'],
    ).toBeUndefined();
    expect(errors).toEqual([]);
  });

  test('an encoding that the pack lacks is made by the server', async () => {
    const folder = packed();
    changeManifest(folder, ({ files }) =>
      files.forEach(({ encodings }) => delete encodings['zstd']),
    );
    const { server, ask, errors } = await start(folder);
    const headers = { 'accept-encoding': 'zstd' };
    expect((await ask('/', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
    await server.ready();
    expect((await ask('/', headers)).headers['content-encoding']).toBe('zstd');
    expect(errors).toEqual([]);
  });

  test('packed encodings count for files.maxBytes', async () => {
    const folder = pack({ 'browser/a.txt': WORDS, 'browser/b.txt': `b${WORDS}` });
    const { errors, ask } = await start(folder, { files: { maxBytes: 2 * WORDS.length + 1 } });
    const answer = await ask('/a.txt', { 'accept-encoding': 'br' });
    expect(answer.headers['content-encoding']).toBeUndefined();
    expect(contentOf(answer)).toBe(WORDS);
    await expect.poll(() => errors).toMatchObject([{ code: 'NG_SSR_ENCODING_FAILED' }]);
    expect(errors[0]!.message).toContain('/b.txt');
  });

  test('a page with a nonce is not sent encoded, nor reported as changed', async () => {
    const page = prerendered(`<script nonce="PLACEHOLDER">${WORDS}</script>`);
    const folder = pack({ 'browser/index.html': page, 'browser/main.js': WORDS });
    const policy = "script-src 'nonce-PLACEHOLDER'";
    const { server, ask, errors } = await start(folder, {
      features: [withNonce({ placeholder: 'PLACEHOLDER', policy })],
    });
    for (const wait of [Promise.resolve(), server.ready()]) {
      await wait;
      const answer = await ask('/', { 'accept-encoding': 'br' });
      expect(answer.headers['content-encoding']).toBeUndefined();
      expect(String(answer.body)).toMatch(/nonce="(?!PLACEHOLDER)[^"]{20,}"/);
    }
    const script = await ask('/main.js', { 'accept-encoding': 'br' });
    expect(script.headers['content-encoding']).toBe('br');
    expect(errors).toEqual([]);
  });
});

test('a server of one locale finds its files in the pack of all', async () => {
  const localized = {
    'browser/en/index.html': prerendered(WORDS),
    'browser/en/main.js': `"en"; ${WORDS}`,
    'browser/sv/index.html': prerendered(`sv ${WORDS}`),
    'browser/sv/main.js': `"sv"; ${WORDS}`,
  };
  const folder = pack(localized);
  const all = await start(folder);
  const one = await start(folder, { files: { folder: join(folder, 'browser/sv') } });
  const headers = { 'accept-encoding': 'br' };
  for (const answer of [
    await all.ask('/sv/main.js', headers),
    await one.ask('/main.js', headers),
  ]) {
    expect(answer.headers['content-encoding']).toBe('br');
    expect(contentOf(answer)).toBe(`"sv"; ${WORDS}`);
  }
  expect((await one.ask('/', headers)).headers['content-encoding']).toBe('br');
  expect([...all.errors, ...one.errors]).toEqual([]);
});

describe('ng-ssr pack', () => {
  const bytesOf = (folder: string) =>
    ['pack.json', 'pack.bin'].map((name) => readFileSync(join(folder, 'ng-ssr', name), 'base64'));

  test('the same files give the same bytes, wherever and however often they are packed', () => {
    const [one, other] = [pack(BUILD), pack(Object.fromEntries(Object.entries(BUILD).reverse()))];
    expect(bytesOf(one)).toEqual(bytesOf(other));
    const before = bytesOf(one);
    expect(ngSsr('pack', one).status).toBe(0);
    expect(bytesOf(one)).toEqual(before);
  });

  test('says how many files and bytes there are, in lines where there is no terminal', () => {
    const { stdout, stderr } = ngSsr('pack', build());
    expect(stdout).toMatch(/^Packed .* in \d+\.\d s: 11 files, \d+ bytes\n/);
    for (const encoding of ['br', 'zstd', 'gzip']) {
      expect(stdout).toMatch(new RegExp(`^ {2}${encoding}: 8 files, \\d+ bytes$`, 'm'));
    }
    expect(stdout + stderr).not.toContain('\x1b');
  });

  test('the manifest has all files in order, and no place of this machine', () => {
    const folder = packed();
    const paths = manifestOf(folder).files.map(({ path }) => path);
    expect(paths).toEqual(
      Object.keys(BUILD)
        .map((name) => name.slice('browser'.length))
        .sort(),
    );
    expect(readFileSync(join(folder, 'ng-ssr/pack.json'), 'utf8')).not.toContain(folder);
  });

  test('the pack is no file of the site', async () => {
    const { ask } = await start(packed());
    for (const path of ['/ng-ssr/pack.json', '/pack.json', '/../ng-ssr/pack.json']) {
      expect([400, 404]).toContain((await ask(path)).status);
    }
  });

  test('a file that the build has left encoded is taken', async () => {
    const own = readFileSync(join(pack({ 'browser/main.js': WORDS }), 'ng-ssr/pack.bin'));
    const folder = pack({ 'browser/main.js': WORDS, 'browser/main.js.br': 'no brotli at all' });
    expect(manifestOf(folder).files.map(({ path }) => path)).toEqual(['/main.js']);
    expect(readFileSync(join(folder, 'ng-ssr/pack.bin')).equals(own)).toBe(true);
    const { stderr } = ngSsr('pack', folder);
    expect(stderr).toContain('NG_SSR_ENCODING_FAILED');
    expect(stderr).toContain('main.js.br is not used');
  });

  test('another name of the browser folder', async () => {
    const folder = build({ 'public/index.html': prerendered(WORDS) });
    expect(ngSsr('pack', folder).status).toBe(1);
    expect(ngSsr('pack', folder, '--browser', 'public').status).toBe(0);
    const { ask, errors } = await start(folder, { files: { folder: join(folder, 'public') } });
    expect((await ask('/', { 'accept-encoding': 'br' })).headers['content-encoding']).toBe('br');
    expect(errors).toEqual([]);
  });

  test('an empty browser folder', async () => {
    const folder = build({ 'browser/.hidden': 'x' });
    expect(ngSsr('pack', folder)).toMatchObject({ status: 0 });
    expect((await start(folder)).errors).toEqual([]);
  });

  test.each([
    ['no output path', ['pack'], 2, 'NG_SSR_COMMAND_INVALID: the output path is missing'],
    ['two output paths', ['pack', 'a', 'b'], 2, 'NG_SSR_COMMAND_INVALID'],
    ['the pack in its own files', ['pack', 'a', '--browser', '.'], 2, 'NG_SSR_COMMAND_INVALID'],
    ['a browser folder elsewhere', ['pack', 'a', '--browser', '../b'], 2, 'COMMAND_INVALID'],
    ['no such folder', ['pack', '/nowhere/dist'], 1, '/nowhere/dist/browser is not a folder'],
  ])('%s: an exit code and a message', (_name, args, code, message) => {
    const { status, stdout, stderr } = ngSsr(...args);
    expect({ status, stdout }).toEqual({ status: code, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr).not.toContain('    at ');
  });

  test('the browser folder itself: the message has the right path', () => {
    const folder = build();
    const { status, stderr } = ngSsr('pack', join(folder, 'browser'));
    expect(status).toBe(1);
    expect(stderr).toContain(`ng-ssr pack ${folder}`);
  });

  test('a folder that cannot be written', () => {
    const folder = build();
    writeFileSync(join(folder, 'ng-ssr'), 'a file');
    const { status, stderr } = ngSsr('pack', folder);
    expect(status).toBe(1);
    expect(stderr).toContain(`NG_SSR_PACK_FAILED: ${join(folder, 'ng-ssr')}`);
    expect(existsSync(join(folder, 'ng-ssr/pack.json'))).toBe(false);
  });
});
