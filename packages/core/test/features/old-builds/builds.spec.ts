import { execFile } from 'node:child_process';
import {
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  type BuildStore,
  type PageStore,
  type PublishedBuild,
  type SsrOptions,
  withOldBuilds,
  withSharedStore,
} from '@ng-ssr/core';
import { type Answer, SsrHandler } from '@ng-ssr/core/adapter';
import { headerOf } from '../../header-of.ts';
import { writeBuiltSite } from '../../built-site.ts';
import { packSite } from '../../files/pack/pack-site.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { age, filesOf, HOUR_MS, mainOf, newFolder, serve, start, text } from './build-server.ts';

test('a server answers files of the build before, and one of the build after it', async () => {
  const folder = newFolder();
  const older = await serve(1, { folder });
  const newer = await serve(2, { folder });
  for (const [server, n] of [
    [newer, 1],
    [older, 2],
  ] as const) {
    const answer = await server.get(`/${mainOf(n)}`);
    expect([answer.status, text(answer)]).toEqual([200, filesOf(n)[`browser/${mainOf(n)}`]]);
    expect(headerOf(answer, 'cache-control')).toBe('public, max-age=31536000, immutable');
    // From now on it is found like an own one, synchronously.
    expect(server.handler.answer(plainExchange(`/${mainOf(n)}`))?.status).toBe(200);
    expect((await server.get(`/${mainOf(n)}.map`)).status).toBe(404);
    expect((await server.get(`/${mainOf(7)}`)).status).toBe(404);
    expect(server.renders()).toBe(0);
    expect(server.errors).toEqual([]);
  }
});

test('requests for names that no build has do not delay those for a new build', async () => {
  const folder = newFolder();
  const server = await serve(1, { folder });
  await server.get('/chunk-aaaaaaaa.js');
  await serve(2, { folder });
  const names = Array.from({ length: 500 }, (_, i) => `/chunk-${String(i).padStart(8, 'x')}.js`);
  const invented = names.map((name) => server.get(name));
  expect((await server.get(`/${mainOf(2)}`)).status).toBe(200);
  const answers = await Promise.all(invented);
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([404]));
  expect(headerOf(answers[0]!, 'cache-control')).toBe('no-store');
  expect(server.renders()).toBe(0);
});

test('a file that appears after it was missing is found within two seconds', async () => {
  const folder = newFolder();
  const older = await serve(1, { folder });
  expect((await older.get(`/${mainOf(2)}`)).status).toBe(404);
  await serve(2, { folder });
  await expect.poll(async () => (await older.get(`/${mainOf(2)}`)).status).toBe(200);
});

test('the newest builds stay, and all that a server has marked within five minutes', async () => {
  const folder = newFolder();
  for (let n = 1; n <= 6; n++) {
    age(folder, HOUR_MS);
    await (await serve(n, { folder, keep: 2 })).handler.close();
  }
  const names = (): string[] => readdirSync(join(folder, 'root')).sort();
  expect(names()).toHaveLength(3);
  const server = await serve(7, { folder, keep: 2 });
  // Those of build 6 and 7 are in use: build 5 is the second that is kept.
  expect(names()).toHaveLength(3);
  for (const [n, status] of [
    [6, 200],
    [5, 200],
    [4, 404],
    [1, 404],
  ] as const) {
    expect((await server.get(`/${mainOf(n)}`)).status, String(n)).toBe(status);
  }
  // A quick row of deploys removes nothing that may be in use: build 5 alone.
  for (let n = 8; n <= 12; n++) await serve(n, { folder, keep: 2 });
  expect(names()).toHaveLength(7);
});

test('a server marks its build while it runs, and not after that', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  onTestFinished(() => void vi.useRealTimers());
  const folder = newFolder();
  const { handler } = await serve(1, { folder });
  const [build] = readdirSync(join(folder, 'root'));
  const ageMs = (): number => Date.now() - statSync(join(folder, 'root', build!)).mtimeMs;
  for (const isMarked of [true, false]) {
    age(folder, HOUR_MS);
    if (!isMarked) await handler.close();
    vi.advanceTimersByTime(60_000);
    expect(ageMs() < HOUR_MS / 2).toBe(isMarked);
  }
});

test('a server that is started again with an old build removes none that is newer', async () => {
  const folder = newFolder();
  const first = await serve(1, { folder, keep: 1 });
  for (const n of [2, 3]) {
    await serve(n, { folder, keep: 1 });
  }
  age(folder, HOUR_MS);
  const again = await start(first.browserFolder, { folder, keep: 1 });
  expect((await again.get(`/${mainOf(3)}`)).status).toBe(200);
  expect((await again.get(`/${mainOf(1)}`)).status).toBe(200);
  expect((await again.get(`/${mainOf(2)}`)).status).toBe(404);
});

test('builds with another base href share a folder, and no files', async () => {
  const folder = newFolder();
  const sv = await serve(filesOf(1, '/sv/'), { folder });
  const de = await serve(filesOf(2, '/de/'), { folder });
  const next = await serve(filesOf(3, '/sv/'), { folder });
  expect((await de.get(`/de/${mainOf(1)}`)).status).toBe(404);
  expect((await next.get(`/sv/${mainOf(1)}`)).status).toBe(200);
  // Behind a proxy that takes the base href off.
  expect((await sv.get(`/${mainOf(3)}`)).status).toBe(200);
  expect(JSON.parse(text(await sv.get('/sv/_ng-ssr/version')))).toMatchObject({
    main: [mainOf(1)],
  });
});

test('a damaged, foreign or hostile build is not answered, with one error', async () => {
  const folder = newFolder();
  const older = await serve(1, { folder });
  const { build } = JSON.parse(text(await older.get('/_ng-ssr/version'))) as { build: string };
  writeFileSync(join(folder, 'root', build, 'browser', mainOf(1)), 'x'.repeat(3000));
  mkdirSync(join(folder, 'root', '0123456789abcdef'));
  writeFileSync(
    join(folder, 'root', '0123456789abcdef', 'build.json'),
    JSON.stringify({
      format: 2,
      files: { '/../../main-SECRETAA.js': { bytes: 1, tag: '"x"' } },
    }),
  );
  mkdirSync(join(folder, 'root', 'no-build'));
  const newer = await serve(2, { folder });
  expect((await newer.get(`/${mainOf(1)}`)).status).toBe(404);
  expect((await newer.get('/main-SECRETAA.js')).status).toBe(404);
  expect(new Set(newer.errors.map(({ code }) => code))).toEqual(
    new Set(['NG_SSR_BUILDS_UNAVAILABLE']),
  );
  // The own build is written again where it is damaged.
  writeFileSync(join(folder, 'root', build, 'build.json'), '{');
  await start(older.browserFolder, { folder });
  const third = await serve(3, { folder });
  expect((await third.get(`/${mainOf(1)}`)).status).toBe(200);
});

test('a folder that cannot be used is one error, and the server runs', async () => {
  const folder = newFolder();
  writeFileSync(join(folder, 'file'), '');
  const server = await serve(1, { folder: join(folder, 'file') });
  expect((await server.get(`/${mainOf(1)}`)).status).toBe(200);
  for (const n of [2, 3, 4]) expect((await server.get(`/${mainOf(n)}`)).status).toBe(404);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_BUILDS_UNAVAILABLE']);
});

test('large files of other builds, and those for which memory has no room, come from the disk', async () => {
  const folder = newFolder();
  await serve(1, { folder });
  for (const files of [{ maxFileBytes: 1000 }, { maxBytes: 3500 }]) {
    const server = await serve(2, { folder }, { files });
    for (let time = 1; time <= 2; time++) {
      const answer = await server.get(`/${mainOf(1)}`);
      expect([answer.status, text(answer).length]).toEqual([200, 3000]);
    }
    // Removed meanwhile: a short 404, as for a file that never was.
    rmSync(join(folder, 'root'), { recursive: true });
    const gone = await server.get(`/${mainOf(1)}`);
    expect([gone.status, headerOf(gone, 'cache-control')]).toEqual([404, 'no-store']);
    await serve(1, { folder });
  }
});

test('a build without hashed files sends those of others, large ones too, and reports nothing', async () => {
  const folder = newFolder();
  await serve(1, { folder });
  const files = { 'browser/index.csr.html': '<base href="/">' };
  const server = await serve(files, { folder }, { files: { maxFileBytes: 100 } });
  const answer = await server.get(`/${mainOf(1)}`);
  expect(text(answer)).toBe(filesOf(1)[`browser/${mainOf(1)}`]);
  expect(headerOf(answer, 'cache-status')).toContain('detail=file');
  expect(server.errors).toEqual([]);
});

test('first requests that come together share one copy of a large file', async () => {
  const folder = newFolder();
  await serve(1, { folder });
  const server = await serve(2, { folder }, { files: { maxFileBytes: 1000 } });
  const ask = (headers?: Record<string, string>): Promise<Answer> =>
    server.get(`/${mainOf(1)}`, headers);
  const ranges = Array.from({ length: 10 }, (_, i) =>
    ask({ range: `bytes=${i * 100}-${i * 200}` }),
  );
  const wholes = Array.from({ length: 30 }, () => ask());
  const answers = await Promise.all([...wholes, ...ranges]);
  const content = filesOf(1)[`browser/${mainOf(1)}`]!;
  answers.slice(0, 30).forEach((answer) => expect(text(answer)).toBe(content));
  answers.slice(30).forEach((answer, i) => {
    expect([answer.status, text(answer)]).toEqual([206, content.slice(i * 100, i * 200 + 1)]);
  });
  expect(new Set(answers.map(({ body }) => body!.buffer)).size).toBe(1);
});

describe.each(['a builds folder', 'folders'])('a large file of %s', (place) => {
  /** The server, and the file of another build that it has answered once, where `isKnown`. */
  async function serveLarge(isKnown: boolean) {
    const folder = newFolder();
    const older = await serve(1, { folder });
    const { build } = JSON.parse(text(await older.get('/_ng-ssr/version'))) as { build: string };
    const isFolder = place === 'a builds folder';
    const parent = isFolder ? join(folder, 'root', build, 'browser') : older.browserFolder;
    const file = join(parent, mainOf(1));
    const builds = isFolder ? { folder } : { previous: [older.browserFolder] };
    const server = await serve(2, builds, { files: { maxFileBytes: 1000 } });
    if (isKnown) expect((await server.get(`/${mainOf(1)}`)).status).toBe(200);
    return { server, file };
  }

  const changes: Record<string, (file: string) => void> = {
    'has other content of the same size': (file) => writeFileSync(file, 'x'.repeat(3000)),
    'is shorter': (file) => truncateSync(file, 10),
    'is a link out of the folder': (file) => {
      const outside = join(newFolder(), 'secret');
      writeFileSync(outside, readFileSync(file));
      rmSync(file);
      symlinkSync(outside, file);
    },
  };
  const cases = Object.keys(changes).flatMap((change) => [[change, true] as [string, boolean]]);
  // Folders have no tags: nothing is known of their files before the first request.
  if (place === 'a builds folder') {
    for (const change of Object.keys(changes)) cases.push([change, false]);
  }

  test.each(cases)('is refused when it %s (answered before: %s)', async (change, isKnown) => {
    const { server, file } = await serveLarge(isKnown);
    changes[change]!(file);
    for (let time = 1; time <= 3; time++) {
      const answer = await server.get(`/${mainOf(1)}`);
      expect([answer.status, headerOf(answer, 'cache-control')]).toEqual([404, 'no-store']);
    }
    expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_BUILDS_UNAVAILABLE']);
  });

  test('is answered again when its content is what it was', async () => {
    const { server, file } = await serveLarge(true);
    const content = readFileSync(file);
    writeFileSync(file, 'x'.repeat(3000));
    expect((await server.get(`/${mainOf(1)}`)).status).toBe(404);
    rmSync(file);
    writeFileSync(file, content);
    for (let time = 1; time <= 2; time++) {
      expect(text(await server.get(`/${mainOf(1)}`))).toBe(content.toString());
    }
  });
});

test('a large file of a removed build is no error', async () => {
  const folder = newFolder();
  await serve(1, { folder });
  const [build] = readdirSync(join(folder, 'root'));
  const server = await serve(2, { folder }, { files: { maxFileBytes: 1000 } });
  expect((await server.get(`/${mainOf(1)}`)).status).toBe(200);
  rmSync(join(folder, 'root', build!), { recursive: true });
  expect((await server.get(`/${mainOf(1)}`)).status).toBe(404);
  expect(server.errors).toEqual([]);
});

test('a file of many parts is compared to its end', async () => {
  const name = 'media/film-ABCDEFGH.mp4';
  const content = Buffer.alloc(2.5 * 1024 * 1024, 'film');
  const folder = newFolder();
  await serve({ ...filesOf(1), [`browser/${name}`]: content.toString() }, { folder });
  const build = readdirSync(join(folder, 'root'))[0]!;
  const server = await serve(2, { folder });
  expect((await server.get(`/${name}`)).body).toEqual(content);
  content[content.byteLength - 1] = 0;
  writeFileSync(join(folder, 'root', build, 'browser', name), content);
  expect((await server.get(`/${name}`)).status).toBe(404);
});

test('a build whose manifest could not be read once is found when it can', async () => {
  const folder = newFolder();
  const older = await serve(1, { folder });
  const server = await serve(2, { folder });
  const { build } = JSON.parse(text(await older.get('/_ng-ssr/version'))) as { build: string };
  const manifest = join(folder, 'root', build, 'build.json');
  renameSync(manifest, `${manifest}.kept`);
  // As EIO or EMFILE: neither missing nor wrong.
  symlinkSync(manifest, manifest);
  expect((await server.get(`/${mainOf(1)}`)).status).toBe(404);
  // Reported once, however often it is read.
  expect((await server.get(`/${mainOf(8)}`)).status).toBe(404);
  expect(server.errors.map(({ code }) => code)).toEqual(['NG_SSR_BUILDS_UNAVAILABLE']);
  renameSync(`${manifest}.kept`, manifest);
  await expect.poll(async () => (await server.get(`/${mainOf(1)}`)).status).toBe(200);
  expect(server.errors).toHaveLength(1);
});

test('a build that was damaged is found when it has been written again', async () => {
  const folder = newFolder();
  const older = await serve(1, { folder });
  const server = await serve(2, { folder });
  const { build } = JSON.parse(text(await older.get('/_ng-ssr/version'))) as { build: string };
  writeFileSync(join(folder, 'root', build, 'build.json'), '{');
  expect((await server.get(`/${mainOf(1)}`)).status).toBe(404);
  await start(older.browserFolder, { folder });
  await expect.poll(async () => (await server.get(`/${mainOf(1)}`)).status).toBe(200);
});

test
  .skipIf(process.platform !== 'linux')
  .each(['/proc', '/proc/x/y', '/proc/self', '/dev/null', '/sys'])(
  'a folder %s is one error, and the server runs',
  async (folder) => {
    // In a process of its own: what never returns could not be ended here.
    const program = `
      import { withOldBuilds } from '@ng-ssr/core';
      import { SsrHandler } from '@ng-ssr/core/adapter';
      const errors = [];
      const handler = new SsrHandler({
        engine: () => null,
        allowedHosts: ['localhost'],
        onError: ({ code }) => errors.push(code),
        files: { folder: process.argv[2] },
        features: [withOldBuilds({ folder: process.argv[1] })],
      });
      await handler.ready();
      await handler.close();
      console.log(JSON.stringify(errors));`;
    const args = ['--input-type=module', '--eval', program, folder, writeBuiltSite(filesOf(1))];
    const { stdout } = await promisify(execFile)(process.execPath, args, {
      cwd: import.meta.dirname,
      timeout: 60_000,
    });
    expect(JSON.parse(stdout)).toEqual(['NG_SSR_BUILDS_UNAVAILABLE']);
  },
  90_000,
);

test.skipIf(process.platform !== 'linux')('a manifest without an end is none', async () => {
  const folder = newFolder();
  await serve(1, { folder });
  const endless = ['/proc/self/pagemap', '/dev/zero', '/proc/kmsg'];
  endless.forEach((target, i) => {
    const place = join(folder, 'root', `0123456789abcde${i}`);
    mkdirSync(place);
    symlinkSync(target, join(place, 'build.json'));
  });
  const server = await serve(2, { folder });
  expect((await server.get(`/${mainOf(1)}`)).status).toBe(200);
  expect((await server.get(`/${mainOf(9)}`)).status).toBe(404);
});

test('encodings come from the pack of a build', async () => {
  const folder = newFolder();
  const earlier = writeBuiltSite(filesOf(1));
  await packSite(earlier);
  await start(earlier, { folder });
  for (const builds of [{ folder }, { previous: [earlier] }]) {
    const server = await serve(2, builds, { files: { encodings: ['br'] } });
    await server.get(`/${mainOf(1)}`);
    const encoded = await server.get(`/${mainOf(1)}`, { 'accept-encoding': 'br' });
    expect(headerOf(encoded, 'content-encoding')).toBe('br');
    expect(server.errors).toEqual([]);
  }
});

test('a store is another place for the same', async () => {
  const published: PublishedBuild[] = [];
  const opened: unknown[] = [];
  const asked: string[] = [];
  const store: BuildStore = {
    open: (context) => void opened.push(context),
    publish: (build) => Promise.resolve(void published.push(build)),
    find: async (paths) => {
      asked.push(...paths);
      const files = published.flatMap((build) => build.files);
      const found = files.filter(({ path }) => paths.includes(path));
      return new Map(
        await Promise.all(found.map(async (file) => [file.path, await file.read()] as const)),
      );
    },
    close: () => Promise.resolve(),
  };
  const older = await serve(1, { store });
  await serve(2, { store, keep: 5 });
  expect(opened).toMatchObject([
    { baseHref: '/', keep: 3 },
    { baseHref: '/', keep: 5 },
  ]);
  const paths = published.map(({ files }) => files.map(({ path }) => path));
  expect(paths[0]).toEqual(['/chunk-shared22.js', `/${mainOf(1)}`]);
  expect(text(await older.get(`/${mainOf(2)}`))).toContain('build = 2');
  for (let time = 1; time <= 3; time++) {
    expect((await older.get(`/${mainOf(9)}`)).status).toBe(404);
  }
  expect(asked.filter((path) => path === `/${mainOf(9)}`)).toHaveLength(1);
});

test('no page that a build has stored is answered by the next one, whose files are others', async () => {
  const shelf = new Map<string, unknown>();
  const open = (): PageStore => {
    let build = '';
    return {
      open: (context) => void (build = context.buildId),
      version: () => 0,
      get: (key) => Promise.resolve(shelf.get(build + key) as never),
      set: (key, entry) => Promise.resolve(void shelf.set(build + key, { entry, isPurged: false })),
      delete: () => Promise.resolve(),
      purge: () => Promise.resolve(),
      lease: () => Promise.resolve({ release: () => Promise.resolve() }),
      close: () => Promise.resolve(),
    };
  };
  const folder = newFolder();
  const page = (n: number) => (): Response =>
    new Response(`<script src="${mainOf(n)}"></script>`, {
      headers: { 'content-type': 'text/html', 'cache-control': 's-maxage=60' },
    });
  const options = (n: number): Partial<SsrOptions> => ({
    engine: page(n),
    features: [withSharedStore(open())],
  });
  const older = await serve(1, { folder }, options(1));
  expect(text(await older.get('/stored'))).toContain(mainOf(1));
  expect(shelf.size).toBe(1);
  const newer = await serve(2, { folder }, options(2));
  expect(text(await newer.get('/stored'))).toContain(mainOf(2));
});

test.each([
  [{}, 'withOldBuilds'],
  [{ keep: 3 }, 'withOldBuilds'],
  [{ folder: 'x', previous: [] }, 'withOldBuilds'],
  [{ folder: '' }, 'withOldBuilds.folder'],
  [{ folder: 'x', keep: 0 }, 'withOldBuilds.keep'],
  [{ folder: 'x', keep: 101 }, 'withOldBuilds.keep'],
  [{ folder: 'x', keep: 1.5 }, 'withOldBuilds.keep'],
  [{ previous: 'x' }, 'withOldBuilds.previous'],
  [{ previous: [], keep: 2 }, 'withOldBuilds.keep'],
  [{ store: {} }, 'withOldBuilds.store'],
  [[], 'withOldBuilds'],
])('withOldBuilds(%j) is refused, and %s named', (builds, name) => {
  const create = (): unknown =>
    new SsrHandler({
      ...{ engine: () => null, allowedHosts: ['*'] },
      features: [withOldBuilds(builds as never)],
    });
  expect(create).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }));
  expect(create).toThrow(name);
});

test('a builds folder below the browser folder is refused: its files would have addresses', async () => {
  const browserFolder = writeBuiltSite(filesOf(1));
  for (const folder of [
    browserFolder,
    join(browserFolder, 'builds'),
    `${browserFolder}/../browser/x`,
  ]) {
    await expect(start(browserFolder, { folder })).rejects.toThrow('withOldBuilds.folder');
  }
});
