import { expect, it } from 'vitest';
import type { Explanation, InspectorPages } from '@ng-ssr/core';
import { html } from '../../pages/stored-server.ts';
import { inspectedServer, type InspectedServer } from './inspected-server.ts';

const SECRETS = ['alice-session', 'bob-session', 's3cret-key', 'dark-theme', 'one-time-token'];

function expectNoSecret(text: string): void {
  for (const secret of SECRETS) expect(text).not.toContain(secret);
}

async function pagesOf(server: InspectedServer): Promise<InspectorPages> {
  const { text } = await server.inspect('/pages?sort=path');
  expectNoSecret(text);
  return JSON.parse(text) as InspectorPages;
}

async function explain(
  server: InspectedServer,
  url: string,
  headers?: Readonly<Record<string, string>>,
): Promise<Explanation> {
  const content = { url, headers };
  const { text } = await server.inspect('/explain', { method: 'POST', content });
  expectNoSecret(text);
  return JSON.parse(text) as Explanation;
}

it("keys show the names of a page's own Vary, and digests of the values", async () => {
  const vary = 'Cookie, X-Api-Key';
  const server = inspectedServer(() => html('page', { 'cache-control': 's-maxage=60', vary }));
  const alice = { cookie: 'sid=alice-session; theme=dark-theme', 'x-api-key': 's3cret-key' };
  await server.get('/p?a=1&token=one-time-token', alice);
  await server.get('/p?a=1&token=one-time-token', { ...alice, cookie: 'sid=bob-session' });
  await server.get('/p?a=1&token=one-time-token');
  const keys = (await pagesOf(server)).pages.map(({ key }) => key.split('\n'));
  expect(keys).toHaveLength(3);
  const digest = expect.stringMatching(/^#[\da-f]{8}$/) as string;
  const partsOf = (key: readonly string[]): string[][] =>
    key.slice(2).map((part) => part.split(': '));
  for (const key of keys) {
    expect(key.slice(0, 2)).toEqual(['http://localhost', '/p?a=1&token=...']);
  }
  const parts = keys.map(partsOf).sort((one, other) => (one[0]![1]! < other[0]![1]! ? -1 : 1));
  expect(parts[2]).toEqual([
    ['cookie', 'none'],
    ['x-api-key', 'none'],
  ]);
  const [one, other] = parts;
  expect(one).toEqual([
    ['cookie', digest],
    ['x-api-key', digest],
  ]);
  // The cookies differ, the key of the API does not.
  expect(one![0]).not.toEqual(other![0]);
  expect(one![1]).toEqual(other![1]);

  const explanation = await explain(server, '/p?a=1&token=one-time-token', alice);
  expect(explanation.answer).toBe('stored');
  expect(explanation.url).toBe('/p?a=1&token=...');
  expect(keys).toContainEqual(explanation.key!.split('\n'));
  expect(explanation.page!.key).toBe(explanation.key);
});

it('keys show the names of what a rule varies by, and digests of the values', async () => {
  const vary = { cookies: ['theme', 'plan'], headers: ['X-Api-Key'], query: ['code'] };
  const server = inspectedServer(() => html('page', {}), {
    routeRules: { '/ruled': { sMaxAge: 60, vary } },
  });
  const headers = { cookie: 'theme=dark-theme', 'x-api-key': 's3cret-key' };
  await server.get('/ruled?code=one-time-token', headers);
  const [page] = (await pagesOf(server)).pages;
  const expected = [
    'http://localhost',
    '/ruled?code=...',
    expect.stringMatching(/^cookie theme: #[\da-f]{8}$/),
    'cookie plan: none',
    expect.stringMatching(/^x-api-key: #[\da-f]{8}$/),
  ];
  expect(page!.key.split('\n')).toEqual(expected);
  const { key } = await explain(server, '/ruled?code=one-time-token', headers);
  expect(key).toBe(page!.key);
});

it('renders in flight and reported errors show no secrets of queries', async () => {
  let fail: ((error: Error) => void) | undefined;
  const server = inspectedServer(() => new Promise((_resolve, reject) => (fail = reject)));
  await server.handler.ready();
  const asked = server.get('/reset?user=7&%74oken=one-time-token&api_key=s3cret-key');
  await expect.poll(async () => (await server.state()).renders.inFlight.length).toBe(1);
  const { text } = await server.inspect('/state');
  expectNoSecret(text);
  expect(text).toContain('GET /reset?user=7&%74oken=...&api_key=...');
  await expect.poll(() => fail).toBeDefined();
  fail!(new Error('the mail server is away'));
  await asked;
  expect(server.errors).toHaveLength(1);
  expectNoSecret(server.errors[0]!.message);
  expect(server.errors[0]!.message).toContain('/reset?user=7&');
  await server.handler.close();
});

it('matrix parameters are no part of a route, and their secrets of no key', async () => {
  const server = inspectedServer();
  await server.handler.ready();
  await server.get('/reset;token=one-time-token/done');
  const { text } = await server.inspect('/state');
  expectNoSecret(text);
  expect(text).toContain('"/reset/done"');
  const [page] = (await pagesOf(server)).pages;
  expect(page!.key).toContain('/reset;token=...');
  await server.handler.close();
});
