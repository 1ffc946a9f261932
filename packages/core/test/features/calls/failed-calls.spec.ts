import { expect, test } from 'vitest';
import { type CallRule, type SsrError, withCalls } from '@ng-ssr/core';
import { html, storedServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api-server.ts';

/** What a server reports whose pages make these calls, and go on when they fail. */
async function reportsOf(api: Api, rule: CallRule, paths: readonly string[]): Promise<string[]> {
  const { get, errors } = storedServer(
    async ({ url }) => {
      const { pathname, search } = new URL(url);
      const path = pathname.slice('/page'.length) + search;
      const text = await fetch(api.origin + path).then(
        (response) => response.text(),
        () => 'no offers today',
      );
      return html(text, {});
    },
    { features: [withCalls({ [`${api.origin}/**`]: rule })] },
  );
  for (const path of paths) expect((await get(`/page${path}`)).status).toBe(200);
  return errors.map(({ code, message }: SsrError) => `${code}: ${message}`);
}

test.each<[string, CallRule, string, RegExp]>([
  [
    'breaks the connection',
    {},
    '/reset',
    /^NG_SSR_CALL_FAILED: GET .*\/reset, called by GET \/page/,
  ],
  [
    'does not answer in time',
    { timeoutMs: 50 },
    '/hung',
    /^NG_SSR_CALL_TIMEOUT: .*\/hung.* took longer than 50 ms \(timeoutMs of its rule\)/,
  ],
  [
    'answers with an error',
    {},
    '/fails-first?times=9&status=503',
    /^NG_SSR_CALL_FAILED: .*\/fails-first.* failed with status 503/,
  ],
  ['sends too much', { maxBytes: 2 }, '/late?ms=1', /^NG_SSR_CALL_TOO_LARGE: .*\/late/],
])(
  'an API that %s is reported once for its rule, though pages hide it',
  async (_, rule, path, message) => {
    const api = await startApi();
    const reports = await reportsOf(api, rule, [path, path, path]);
    expect(reports).toEqual([expect.stringMatching(message)]);
    expect(reports[0]).toContain(`This is reported once for withCalls["${api.origin}/**"]`);
  },
);

test('responses, also those of a client error, are not reported', async () => {
  const api = await startApi();
  const reports = await reportsOf(api, {}, ['/late?ms=1', '/fails-first?times=9&status=404']);
  expect(reports).toEqual([]);
});
