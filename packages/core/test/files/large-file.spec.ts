import {
  appendFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
  truncateSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { channelOf, type SsrError } from '@ng-ssr/core';
import { type Exchange, type StreamedAnswer, SsrHandler } from '@ng-ssr/core/adapter';
import { headerOf } from '../header-of.ts';
import { writeBuiltSite } from '../built-site.ts';
import { plainExchange } from '../plain-exchange.ts';

const MIB = 1024 * 1024;

function createSite(files: Readonly<Record<string, string>> = {}) {
  const browserFolder = writeBuiltSite({ 'browser/film.mp4': 'f'.repeat(2 * MIB), ...files });
  const errors: SsrError[] = [];
  const create = (): SsrHandler =>
    new SsrHandler({
      engine: () => null,
      allowedHosts: ['localhost'],
      files: { folder: browserFolder },
      onError: (error) => errors.push(error),
    });
  return {
    browserFolder,
    errors,
    create,
    path: join(browserFolder, 'film.mp4'),
  };
}

async function ask(handler: SsrHandler, exchange: Exchange): Promise<StreamedAnswer> {
  const answer = await handler.largeFile(exchange);
  expect(answer).toHaveProperty('content');
  return answer as StreamedAnswer;
}

async function lengthOf({ content }: StreamedAnswer): Promise<number> {
  let bytes = 0;
  for (let chunk = await content.read(); chunk !== undefined; chunk = await content.read()) {
    bytes += chunk.byteLength;
  }
  return bytes;
}

/** How many descriptors of a file this process has open; 0 without /proc. */
function descriptorsOf(path: string): number {
  const folder = '/proc/self/fd';
  if (!existsSync(folder)) return 0;
  const isOpen = (descriptor: string): boolean => {
    try {
      return readlinkSync(join(folder, descriptor)) === path;
    } catch {
      // The descriptor of the folder itself.
      return false;
    }
  };
  return readdirSync(folder).filter(isOpen).length;
}

test('a name that is no large file is known at once, without a promise', () => {
  const handler = createSite().create();
  expect(handler.largeFile(plainExchange('/none'))).toBeUndefined();
  expect(handler.largeFile(plainExchange('/film.mp4', {}, 'POST'))).toBeUndefined();
  expect(handler.largeFile(plainExchange('/film.mp4', { host: 'evil' }))).toBeUndefined();
});

test('no byte beyond the announced length is read from a file that grows while it is sent', async () => {
  const { create, path } = createSite();
  const answer = await ask(create(), plainExchange('/film.mp4', { range: 'bytes=10-' }));
  await answer.content.read();
  appendFileSync(path, 'more'.repeat(100_000));
  const rest = await lengthOf(answer);
  expect(String(rest + 64 * 1024)).toBe(headerOf(answer, 'Content-Length'));
});

test('a file that shrinks while it is sent is an error, which is reported once', async () => {
  const { create, errors, path } = createSite();
  const answer = await ask(create(), plainExchange('/film.mp4'));
  await answer.content.read();
  truncateSync(path, 100);
  await expect(answer.content.read()).rejects.toThrow('became shorter');
  expect(await answer.content.read()).toBeUndefined();
  expect(errors).toMatchObject([{ code: 'NG_SSR_FILE_UNREADABLE' }]);
});

test('a file that changes between its headers and its first byte is an error', async () => {
  const { create, errors, path } = createSite();
  const answer = await ask(create(), plainExchange('/film.mp4'));
  writeFileSync(path, 'f'.repeat(3 * MIB));
  await expect(answer.content.read()).rejects.toThrow('changed');
  expect(errors).toHaveLength(1);
  expect(descriptorsOf(path)).toBe(0);
});

test('a file is closed while it is read, before, twice, and is then at its end', async () => {
  const { create, errors } = createSite();
  const handler = create();
  const answer = await ask(handler, plainExchange('/film.mp4'));
  const reading = answer.content.read();
  await Promise.all([answer.content.close(), answer.content.close(), reading]);
  expect(await answer.content.read()).toBeUndefined();
  const unread = await ask(handler, plainExchange('/film.mp4'));
  await unread.content.close();
  expect(await unread.content.read()).toBeUndefined();
  expect(errors).toEqual([]);
});

test('a date is no validator for a part within the second that it names', async () => {
  const { create, path } = createSite();
  const handler = create();
  const statusFor = async (modifiedMs: number): Promise<number | undefined> => {
    utimesSync(path, modifiedMs / 1000, modifiedMs / 1000);
    const whole = await ask(handler, plainExchange('/film.mp4'));
    const headers = { range: 'bytes=0-9', 'if-range': headerOf(whole, 'Last-Modified')! };
    return (await handler.largeFile(plainExchange('/film.mp4', headers)))?.status;
  };
  expect(await statusFor(Date.now() - 5000)).toBe(206);
  expect(await statusFor(Date.now() + 60_000)).toBe(200);
});

test('a large page has the status and the headers of its route, and nothing to validate under no-store', async () => {
  const { create } = createSite({
    'browser/gone/index.html': 'g'.repeat(2 * MIB),
    'browser/secret/index.html': 's'.repeat(2 * MIB),
    'prerendered-routes.json': JSON.stringify({
      routes: {
        '/gone': { status: 410, headers: { 'X-Route': 'gone', 'Content-Length': '1' } },
        '/secret': { headers: { 'Cache-Control': 'no-store' } },
      },
    }),
  });
  const handler = create();
  const gone = await ask(handler, plainExchange('/gone', { range: 'bytes=0-9' }));
  expect([gone.status, headerOf(gone, 'X-Route')]).toEqual([410, 'gone']);
  expect(headerOf(gone, 'Content-Length')).toBe(String(2 * MIB));
  const secret = await ask(handler, plainExchange('/secret', { 'if-none-match': '"x"' }));
  expect([headerOf(secret, 'ETag'), headerOf(secret, 'Last-Modified')]).toEqual([
    undefined,
    undefined,
  ]);
});

// Links in the folder.

test('links in circles, to nowhere and outside never keep a server from starting', async () => {
  const { browserFolder, create } = createSite({
    'browser/a/own.txt': 'own',
    'outside/secret.txt': 'secret',
  });
  const link = (target: string, ...path: string[]): void =>
    symlinkSync(target, join(browserFolder, ...path));
  link('.', 'here');
  link('.', 'here-too');
  link('..', 'a', 'up');
  link('nowhere', 'dangling');
  link('circle', 'circle');
  link('b', 'a', 'b');
  mkdirSync(join(browserFolder, 'c'));
  link('../a', 'c', 'to-a');
  link('../c', 'a', 'to-c');
  link('../outside', 'out');
  link('../outside/secret.txt', 'out.txt');
  link('a/own.txt', 'linked.txt');
  link('film.mp4', 'linked.mp4');
  const handler = create();
  for (const path of ['/a/own.txt', '/linked.txt', '/c/to-a/own.txt']) {
    expect(handler.answer(plainExchange(path))?.status, path).toBe(200);
  }
  expect(await lengthOf(await ask(handler, plainExchange('/linked.mp4')))).toBe(2 * MIB);
  for (const path of ['/out/secret.txt', '/out.txt', '/here/a/own.txt', '/circle', '/dangling']) {
    expect(handler.answer(plainExchange(path)), path).toBeUndefined();
    expect(handler.largeFile(plainExchange(path)), path).toBeUndefined();
  }
});

test.skipIf(process.platform === 'win32')(
  'a large file that becomes a link is not answered, while links in the folder are',
  async () => {
    const { browserFolder, create, errors, path } = createSite({ 'outside/secret.txt': 'secret' });
    symlinkSync('film.mp4', join(browserFolder, 'linked.mp4'));
    const handler = create();
    expect(await lengthOf(await ask(handler, plainExchange('/linked.mp4')))).toBe(2 * MIB);
    const begun = await ask(handler, plainExchange('/film.mp4'));
    unlinkSync(path);
    symlinkSync('../outside/secret.txt', path);
    await expect(begun.content.read()).rejects.toThrow('ELOOP');
    for (const target of ['/film.mp4', '/linked.mp4']) {
      expect((await handler.largeFile(plainExchange(target)))?.status).toBe(500);
    }
    expect(new Set(errors.map(({ code }) => code))).toEqual(new Set(['NG_SSR_FILE_UNREADABLE']));
  },
);

test('folders that all link to each other end, by links of one step', () => {
  const names = Array.from({ length: 12 }, (_, index) => `folder-${index}`);
  const { browserFolder, create } = createSite(
    Object.fromEntries(names.map((name) => [`browser/${name}/own.txt`, name])),
  );
  for (const name of names) {
    for (const other of names) symlinkSync(`../${other}`, join(browserFolder, name, `to-${other}`));
  }
  const handler = create();
  expect(handler.answer(plainExchange('/folder-1/to-folder-2/own.txt'))?.status).toBe(200);
  expect(
    handler.answer(plainExchange('/folder-1/to-folder-2/to-folder-3/own.txt')),
  ).toBeUndefined();
});

test('each answer about a large file is published on the channel of requests', async () => {
  const told: unknown[] = [];
  const hear = (event: unknown): void => void told.push(event);
  channelOf('ng-ssr:request').subscribe(hear);
  onTestFinished(() => channelOf('ng-ssr:request').unsubscribe(hear));
  const { create, path } = createSite();
  const handler = create();
  const target = '/film.mp4';
  for (const method of ['GET', 'HEAD']) await handler.largeFile(plainExchange(target, {}, method));
  await handler.largeFile(plainExchange(target, { range: 'bytes=9999999-' }));
  unlinkSync(path);
  await handler.largeFile(plainExchange(target));
  expect(told).toMatchObject([
    { method: 'GET', target, status: 200, result: 'bypass' },
    { method: 'HEAD', target, status: 200, result: 'bypass' },
    { method: 'GET', target, status: 416, result: 'bypass' },
    { method: 'GET', target, status: 404, result: 'bypass' },
  ]);
});
