import { expect, it, onTestFinished } from 'vitest';
import {
  channelOf,
  type CallEvent,
  type CallRules,
  type CallsOptions,
  type SsrError,
  withCalls,
} from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { ResolvedCallRules } from '../../../src/features/calls/rules/call-rules.ts';
import { html, storedServer } from '../../pages/stored-server.ts';
import { startApi } from './api-server.ts';

/** The rules that apply to calls of a page. */
async function rulesOf(calls: CallRules, urls: readonly string[]): Promise<string[]> {
  const rules: string[] = [];
  const listener = ({ rule }: CallEvent): void => void rules.push(rule);
  channelOf('ng-ssr:call').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:call').unsubscribe(listener));
  const server = storedServer(
    async () => {
      for (const url of urls)
        await fetch(url).then(
          (response) => response.text(),
          () => {},
        );
      return html('page', {});
    },
    { features: [withCalls(calls)] },
  );
  await server.get('/p');
  return rules;
}

it('the most specific rule applies: an origin, one with sub-domains, own paths, all', () => {
  const cms = 'https://cms.example';
  const patterns = [
    ...['**', '/items/**', 'https://*.example/**', 'https://*.cms.example:8443/**'],
    ...[`${cms}/items/*`, `${cms}/items/new`, `${cms}/items/**`, `${cms}/a b/:id/end`],
  ];
  const rules = new ResolvedCallRules(Object.fromEntries(patterns.map((pattern) => [pattern, {}])));
  const ruleOf = (url: string): string => rules.find(new URL(url), 'https://shop.test').pattern;
  const cases = {
    [`${cms}/items/3`]: `${cms}/items/*`,
    [`${cms}/items/new`]: `${cms}/items/new`,
    [`${cms}/items/%6Eew?q=1`]: `${cms}/items/new`,
    [`${cms}/items/..%2Fnew`]: `${cms}/items/*`,
    [`${cms}/items`]: `${cms}/items/**`,
    [`${cms}/items/3/parts`]: `${cms}/items/**`,
    [`${cms}/a%20b/1/end`]: `${cms}/a b/:id/end`,
    [`${cms}/a%20b/1/end/`]: 'https://*.example/**',
    [`${cms}/items/../other`]: 'https://*.example/**',
    'https://a.b.example/': 'https://*.example/**',
    'https://a.cms.example:8443/': 'https://*.cms.example:8443/**',
    'https://a.cms.example/': 'https://*.example/**',
    'http://cms.example/': '**',
    'https://example/': '**',
    'https://badexample/': '**',
    'https://shop.test/items/1': '/items/**',
    'http://shop.test/items/1': '**',
    'https://shop.test/other': '**',
  };
  const found = Object.fromEntries(Object.keys(cases).map((url) => [url, ruleOf(url)]));
  expect(found).toEqual(cases);
});

it('a path is one of the page’s own origin, whatever its call looks like', async () => {
  const { origin } = await startApi();
  const calls = { '/api/**': { timeoutMs: 1 }, '**': { timeoutMs: 1 } };
  // Port 1 is closed: only the rules are looked at.
  const urls = [
    '/api/x',
    'api/x',
    'http://localhost/api/x',
    `${origin}/api/x`,
    '//localhost:1/api/x',
  ];
  expect(await rulesOf(calls, urls)).toEqual(['/api/**', '/api/**', '/api/**', '**', '**']);
});

it.each<[unknown, RegExp]>([
  ['/api/**', /^withCalls is "\/api\/\*\*" \(string\); allowed: an object of rules by URL/],
  [
    { 'cms.example/**': {} },
    /^withCalls\["cms.example\/\*\*"\]: the key must be a path.*, an origin and a path.* Did you mean "https:\/\/cms.example\/\*\*"\?/,
  ],
  [{ 'ftp://cms.example/**': {} }, /withCalls\["ftp:/],
  [{ 'https://cms.example': {} }, /withCalls\["https:\/\/cms.example"/],
  [{ 'https://user@cms.example/**': {} }, /withCalls\["https:\/\/user@/],
  [{ 'https://*.*.example/**': {} }, /withCalls\["https:\/\/\*\.\*/],
  [{ 'https://cms*.example/**': {} }, /withCalls\["https:\/\/cms\*/],
  [{ '/a/**/b': {} }, /withCalls\["\/a\/\*\*\/b"/],
  [{ '/a?b=1': {} }, /withCalls\["\/a\?b=1"/],
  [{ '**': null }, /withCalls\["\*\*"\] is null; allowed: an object with inProcess/],
  [
    { '**': { timeout: 3 } },
    /there is no option withCalls\["\*\*"\]\.timeout\. Did you mean withCalls\["\*\*"\]\.timeoutMs\? The options are inP/,
  ],
  [{ '**': { timeoutMs: 0 } }, /withCalls\["\*\*"\]\.timeoutMs is 0 \(number\)/],
  [{ '**': { retries: -1 } }, /\.retries is -1/],
  [{ '**': { inProcess: 'yes' } }, /\.inProcess is "yes" \(string\); allowed: true or false/],
  [{ '**': { dedupe: 1 } }, /\.dedupe is 1/],
  [{ '**': { forward: 'cookie' } }, /\.forward is "cookie" \(string\); allowed: a list/],
  [{ '**': { forward: ['host'] } }, /\.forward is "host".*except those of the connection/],
  [{ '**': { forward: ['a b'] } }, /\.forward is "a b"/],
  [{ '**': { cache: true } }, /\.cache is true/],
  [{ '**': { cache: { ttl: 3 } } }, /there is no option withCalls\["\*\*"\]\.cache\.ttl/],
  [{ '**': { cache: { sMaxAge: 1.5 } } }, /\.cache\.sMaxAge is 1\.5/],
  [{ '**': { cache: { vary: { query: [] } } } }, /there is no .*\.cache\.vary\.query/],
  [
    { '**': { cache: { vary: { cookies: 'a' } } } },
    /\.vary\.cookies is "a".*allowed: a list of co/,
  ],
  [
    { '**': { cache: { vary: { headers: 'x-a' } } } },
    /\.vary\.headers is "x-a".*: a list of header/,
  ],
  [{ '**': { cache: { vary: { cookies: ['a=b'] } } } }, /\.cache\.vary\.cookies is "a=b"/],
  [{ '**': { tags: ['a b'] } }, /\.tags is \["a b"\] \(list\); allowed: a list of tags/],
  [{ '**': { maxBytes: 0 } }, /\.maxBytes is 0/],
  [{ '**': { concurrency: 0 } }, /\.concurrency is 0/],
  [{ '**': { maxQueued: -1 } }, /\.maxQueued is -1/],
])('refuses %j', (calls, message) => {
  const start = () => storedServer(() => null, { features: [withCalls(calls as CallRules)] });
  expect(start).toThrow(message);
});

it.each([
  [{ maxBytes: 0 }, 'withCalls.maxBytes is 0 (number); allowed: a whole number of bytes'],
  [{ maxBytes: '1' }, 'withCalls.maxBytes is "1" (string); allowed: a whole number of bytes'],
  [{ maxByte: 1 }, 'there is no option withCalls.maxByte. Did you mean withCalls.maxBytes?'],
])('refuses %j for all calls', (options, message) => {
  const features = [withCalls({}, options as CallsOptions)];
  expect(() => storedServer(() => null, { features })).toThrow(message);
});

it.each([
  ['without built files', {}, 1],
  ['with a folder', { files: { folder: import.meta.dirname } }, 0],
])(
  'a server %s says whether its calls are cached when it serves',
  async (_title, options, notices) => {
    const errors: SsrError[] = [];
    const handler = new SsrHandler({
      ...{ engine: () => null, allowedHosts: ['localhost'] },
      features: [withCalls({ '/plain': {}, '/cached/**': { cache: 'shared' } })],
      onError: (error) => void errors.push(error),
      ...options,
    });
    expect(errors).toEqual([]);
    await handler.ready();
    expect(errors.map(({ code }) => code)).toEqual(Array(notices).fill('NG_SSR_CALL_NOTICE'));
    if (notices > 0)
      expect(errors[0]!.message).toContain('withCalls["/cached/**"].cache has no effect');
    return handler.close();
  },
);
