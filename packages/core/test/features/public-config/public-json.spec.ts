import { parse } from 'parse5';
import { expect, test } from 'vitest';
import { insertPublicConfig, SsrError, withPublicConfig } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import type { EngineSetup, SsrOptions } from '@ng-ssr/core';
import { Random } from '../../../../conformance/src/fuzz/random.ts';
import { seed } from '../../../../conformance/src/fuzz/seed.ts';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { plainExchange } from '../../plain-exchange.ts';

const folder = (): string => writeBuiltSite({ 'browser/index.html': prerendered('hello') });

/** The element that an engine gets for a configuration. */
async function elementOf(publicConfig: object, options: Partial<SsrOptions> = {}): Promise<string> {
  let setup: EngineSetup | undefined;
  const engine = Object.assign(() => new Response('page'), {
    setup: (given: EngineSetup) => void (setup = given),
  });
  const allowedHosts = ['localhost'];
  const handler = new SsrHandler({
    ...{ engine, allowedHosts, features: [withPublicConfig(publicConfig)] },
    ...options,
  });
  await handler.render(plainExchange('/rendered'));
  await handler.close();
  return setup!.publicConfig!;
}

interface HtmlNode {
  readonly nodeName: string;
  readonly value?: string;
  readonly attrs?: readonly { readonly name: string; readonly value: string }[];
  readonly childNodes?: readonly HtmlNode[];
}

function* elementsOf(
  node: HtmlNode,
  inside: readonly string[] = [],
): Generator<readonly [HtmlNode, string]> {
  for (const child of node.childNodes ?? []) {
    yield [child, inside.join(' ')];
    yield* elementsOf(child, [...inside, child.nodeName]);
  }
}

/** What a browser's parser finds as the first script of the head. */
function read(document: string): unknown {
  const all = [...elementsOf(parse(document) as unknown as HtmlNode)];
  const [first] = all.filter(
    ([{ nodeName }, inside]) => inside === 'html head' && nodeName === 'script',
  );
  const { attrs, childNodes } = first![0];
  expect(attrs).toEqual([
    { name: 'type', value: 'application/json' },
    { name: 'id', value: 'ng-ssr-config' },
  ]);
  return JSON.parse(childNodes![0]!.value!);
}

const cyclic: Record<string, unknown> = { name: 'a' };
cyclic['self'] = { list: [cyclic] };
let deep: object = {};
for (let i = 0; i < 40; i++) deep = { deep };
let wide: object = { text: 'x' };
for (let i = 0; i < 30; i++) wide = { a: wide, b: wide };

test.each<[string, unknown, string]>([
  ['a text', 'https://api.example', 'withPublicConfig is a string; allowed: an object'],
  ['null', null, 'withPublicConfig is null; allowed: an object'],
  ['a list', [], 'withPublicConfig is a list; allowed: an object'],
  ['a Map', new Map(), 'withPublicConfig is an object of Map; allowed: strings'],
  ['a promise', Promise.resolve({}), 'withPublicConfig is an object of Promise'],
  ['the environment', process.env, 'withPublicConfig is process.env; allowed: single variables'],
  ['the environment below', { env: process.env }, 'withPublicConfig.env is process.env'],
  [
    'a function',
    { flags: { newCart: () => true } },
    'withPublicConfig.flags.newCart is a function',
  ],
  ['a BigInt', { limits: [1, 2n] }, 'withPublicConfig.limits[1] is a bigint'],
  ['NaN', { 'max-price': NaN }, 'withPublicConfig["max-price"] is NaN'],
  ['Infinity', { max: Infinity }, 'withPublicConfig.max is Infinity'],
  ['a Date', { since: new Date(0) }, 'withPublicConfig.since is an object of Date'],
  ['a URL', { api: new URL('https://api.example') }, 'withPublicConfig.api is an object of URL'],
  ['a symbol', { kind: Symbol('a') }, 'withPublicConfig.kind is a symbol'],
  [
    'a symbol as a name',
    { flags: { [Symbol('a')]: 1 } },
    'withPublicConfig.flags is an object with Symbol(a)',
  ],
  ['a hole', { list: Array(3) }, 'withPublicConfig.list[0] is undefined'],
  [
    'a missing variable',
    { apiUrl: undefined },
    'withPublicConfig.apiUrl is undefined; allowed: strings, finite numbers, booleans, null, lists and plain objects of them. Is an environment variable missing? null means none',
  ],
  ['a cycle', cyclic, 'withPublicConfig.self.list[0] is an object that contains itself'],
  ['a depth', deep, 'is an object too deep; allowed: up to 32 levels'],
  [
    'a prototype',
    JSON.parse('{"a":{"__proto__":{"isAdmin":true}}}'),
    'withPublicConfig.a.__proto__ is a member of this name',
  ],
  ['an inherited object', Object.create({ a: 1 }), 'withPublicConfig is an object of'],
  [
    'a private key',
    { tls: '-----BEGIN RSA PRIVATE KEY-----\nMII' },
    'withPublicConfig.tls is a private key',
  ],
  [
    'much text',
    { text: 'x'.repeat(65_530) },
    'withPublicConfig is longer as JSON; allowed: up to 65536 bytes',
  ],
  ['much that is escaped', { text: '<'.repeat(11_000) }, 'withPublicConfig is longer as JSON'],
  ['the same object a billion times', wide, 'withPublicConfig is longer as JSON'],
])('%s is refused by its path', (_name, publicConfig, message) => {
  const files = { folder: folder() };
  const create = (): unknown =>
    new SsrHandler({
      ...{ engine: () => null, files },
      features: [withPublicConfig(publicConfig as object)],
    });
  expect(create).toThrow(SsrError);
  expect(create).toThrow(message);
  expect(create).toThrow(expect.objectContaining({ code: 'NG_SSR_OPTION_INVALID' }));
});

test('the message about a private key does not contain it', () => {
  const publicConfig = { tls: '-----BEGIN PRIVATE KEY-----\nMIIabc' };
  const features = [withPublicConfig(publicConfig)];
  expect(() => new SsrHandler({ engine: () => null, features })).toThrow(
    expect.objectContaining({ message: expect.not.stringContaining('MIIabc') as string }),
  );
});

test('without a build on disk a member that is undefined is left out: ng build runs the program', async () => {
  expect(await elementOf({ apiUrl: undefined, shop: 'a', flags: { b: undefined } })).toBe(
    '<script type="application/json" id="ng-ssr-config">{"shop":"a","flags":{}}</script>',
  );
});

test('what looks like a secret is named once, and sent', async () => {
  const errors: SsrError[] = [];
  const publicConfig = {
    mail: { smtpPassword: 'x', passwordMinLength: 8, forgotPassword: '' },
    clientSecret: 'y',
    databaseUrl: 'postgres://shop:hunter2@db/shop',
    sentry: 'https://abc@o1.ingest.sentry.example/1',
  };
  const files = { folder: folder() };
  expect(
    await elementOf(publicConfig, { files, onError: (error) => errors.push(error) }),
  ).toContain('"y"');
  expect(errors.map(({ code }) => code)).toEqual(['NG_SSR_PUBLIC_CONFIG_NOTICE']);
  expect(errors[0]!.message).toMatch(
    /^withPublicConfig\.mail\.smtpPassword, withPublicConfig\.clientSecret, withPublicConfig\.databaseUrl: /,
  );
  expect(errors[0]!.message).not.toContain('hunter2');
});

const ELEMENT = '<script type="application/json" id="ng-ssr-config">{"a":1}</script>';

test.each([
  ['<!doctype html><html><head><title>a</title>', '<!doctype html><html><head>|<title>a</title>'],
  [
    '<!DOCTYPE html>\n<HTML lang=en>\n<HEAD >\n<title>',
    '<!DOCTYPE html>\n<HTML lang=en>\n<HEAD >|\n<title>',
  ],
  [
    '<html data-a=">" data-b=\'>\'><head data-c="<head>">a',
    '<html data-a=">" data-b=\'>\'><head data-c="<head>">|a',
  ],
  ['<head><meta charset="utf-8"><base href="/">', '<head><meta charset="utf-8">|<base href="/">'],
  ["<head>\n <meta charset='utf-8' />\n<a>", "<head>\n <meta charset='utf-8' />|\n<a>"],
  ['<head><meta charset=utf-8/><a>', '<head><meta charset=utf-8/>|<a>'],
  ['<head><meta name="a" charset="b"><a>', '<head>|<meta name="a" charset="b"><a>'],
  [
    '<!-- <head> --><!doctype html><!----><html><!-- - -- --><head>a',
    '<!-- <head> --><!doctype html><!----><html><!-- - -- --><head>|a',
  ],
  ['<!doctype html><header>a</header>', '<!doctype html>|<header>a</header>'],
  ['<!doctype html><htmlx><head>', '<!doctype html>|<htmlx><head>'],
  ['<html><body>a', '<html>|<body>a'],
  ['\uFEFF<!doctype html><head>a', '\uFEFF<!doctype html><head>|a'],
  ['\xEF\xBB\xBF<!doctype html><head>a', '\xEF\xBB\xBF<!doctype html><head>|a'],
  ['<p>a fragment with a <head></p>', '<p>a fragment with a <head></p>'],
  ['google-site-verification: google1.html', 'google-site-verification: google1.html'],
  ['', ''],
])('%s: the element comes first in the head', (document, expected) => {
  const inserted = insertPublicConfig(document, ELEMENT);
  expect(inserted).toBe(expected.replace('|', ELEMENT));
  expect(insertPublicConfig(inserted, ELEMENT)).toBe(inserted);
  expect(insertPublicConfig(document, undefined)).toBe(document);
  // A decoder takes the byte order mark away.
  const decoded = inserted.replace(/^(?:\uFEFF|\xEF\xBB\xBF)/, '');
  if (inserted !== document) expect(read(decoded)).toEqual({ a: 1 });
});

test('a head of many comments takes no longer than it is long', () => {
  const document = `<!doctype html>${'<!-- a -->'.repeat(20_000)}<body>`;
  expect(insertPublicConfig(document, ELEMENT)).toBe(
    document.replace('<!doctype html>', `<!doctype html>${ELEMENT}`),
  );
});

const PIECES = [
  ...['</script>', '<!--', '-->', '<script', ']]>', '&lt;', '&#60;', "'", '"', '\\', '\\u003c'],
  ...['`', '${a}', '\u2028', '\u2029', '\0', '\uFEFF', '\uD800', '\uDC00', '\uD83D\uDE00'],
  ...['\u00e5', '\x7f', '\r\n', '\t', '__proto_', 'constructor', 'toString', 'nonce="abc"'],
  ...[" nonce='abc'", '%s', '/', '', 'a', 'newCart'],
];

function someText(random: Random): string {
  return Array.from({ length: random.below(5) }, () => random.pick(PIECES)).join('');
}

function someValue(random: Random, depth: number): unknown {
  switch (random.below(depth > 3 ? 5 : 7)) {
    case 0:
      return random.pick([null, true, false]);
    case 1:
      return random.pick([0, 1, -1, 1.5, 1e21, 5e-324, Number.MAX_SAFE_INTEGER, random.word()]);
    case 5:
      return Array.from({ length: random.below(4) }, () => someValue(random, depth + 1));
    case 6:
      return someObject(random, depth + 1);
    default:
      return someText(random);
  }
}

function someObject(random: Random, depth: number): Record<string, unknown> {
  const object = (random.chance(0.2) ? Object.create(null) : {}) as Record<string, unknown>;
  for (let i = random.below(6); i > 0; i--) {
    // V8 of Node 24 takes the second name for the first: JSON.parse('{"":1,"\\\\":2}'), then of '{"":1,"\\"":2}'.
    const name = someText(random).replaceAll('\\', '');
    object[name] = someValue(random, depth);
  }
  return object;
}

test('a browser has the value of the server, whatever is in it', async () => {
  const random = new Random(seed);
  for (let run = 0; run < 150; run++) {
    const config = someObject(random, 0);
    const element = await elementOf(config);
    expect(element, `NG_SSR_FUZZ_SEED=${seed}`).toMatch(/^[\x20-\x7e]*$/);
    const document = `<!doctype html><html><head><title>å</title></head><body><script id="ng-ssr-config">{"b":2}</script>`;
    const found = read(insertPublicConfig(document, element));
    expect(found, `NG_SSR_FUZZ_SEED=${seed}`).toEqual({ ...config });
  }
});
