import type { IncomingMessage, ServerResponse } from 'node:http';
import { type CallRule, type SsrOptions, withCalls, withSharedStore } from '@ng-ssr/core';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { Shelf } from '../shared-store/fake-page-store.ts';
import { storedServer, type StoredServer } from '../../pages/stored-server.ts';
import { type Api, startApi } from './api.ts';

let api: Api;
/** Answers that the API still owes, oldest first. */
let owed: { readonly request: IncomingMessage; readonly response: ServerResponse }[] = [];
let sessions = 0;
let names = 0;
let before = 0;

beforeAll(async () => {
  api = await startApi((request, response) => {
    owed.push({ request, response });
    if (request.url!.startsWith('/store/')) answerAll(FORBIDDING['private']!);
  });
});

beforeEach(() => {
  owed = [];
  before = api.asked.length;
});

/** Answers what was asked, each with a session of its own. */
function answerAll(headers: Record<string, string>): void {
  for (const { response } of owed) {
    const session = `session-${++sessions}`;
    response.writeHead(200, { ...headers, 'x-session': session }).end(session);
  }
  owed = [];
}

/** A server whose pages show the sessions that they get: one for each method in their query. */
function pages(rule: CallRule, options: Partial<SsrOptions> = {}): StoredServer {
  return storedServer(
    async (request) => {
      const { pathname, searchParams } = new URL(request.url);
      const headers = { 'x-request-id': searchParams.get('id') ?? '' };
      const shown = searchParams.getAll('method').map(async (method) => {
        const response = await fetch(api.origin + pathname, { method, headers });
        const text = await response.text();
        return `${response.headers.get('x-session')} ${text} ${response.headers.get('set-cookie')}`;
      });
      return new Response((await Promise.all(shown)).join('; '), {
        headers: { 'content-type': 'text/html', 'cache-control': 'no-store' },
      });
    },
    {
      render: { concurrency: 1000 },
      ...options,
      features: [withCalls({ '**': rule }), ...(options.features ?? [])],
    },
  );
}

const textsOf = async (all: Promise<{ readonly text: string }>[]): Promise<string[]> =>
  (await Promise.all(all)).map(({ text }) => text);

const FORBIDDING: Record<string, Record<string, string>> = {
  'Set-Cookie': { 'set-cookie': 'user=1', 'cache-control': 'max-age=60' },
  private: { 'cache-control': 'private, max-age=60' },
  'no-store': { 'cache-control': 'no-store' },
  'Vary: *': { 'cache-control': 'max-age=60', vary: '*' },
};

describe.each<[string, CallRule]>([
  ['dedupe', { dedupe: true }],
  ['cache', { cache: { sMaxAge: 60, staleIfError: 60 } }],
])('with %s', (_title, rule) => {
  describe.each(Object.keys(FORBIDDING))('and %s', (title) => {
    it.each(['GET', 'HEAD'])('each render has a response of its own to a %s', async (method) => {
      const { get, requests } = pages(rule);
      const path = `/own/${++names}?method=${method}&id=`;
      const all = Array.from({ length: 20 }, (_, id) => get(path + id));
      await expect.poll(() => requests.length).toBe(20);
      await api.arrived(before + 1);
      answerAll(FORBIDDING[title]!);
      // All others at once.
      await api.arrived(before + 20);
      answerAll(FORBIDDING[title]!);
      expect(new Set(await textsOf(all)).size).toBe(20);
      // For a time no call waits for another.
      const later = [get(`${path}21`), get(`${path}22`)];
      await api.arrived(before + 22);
      answerAll({});
      expect(new Set(await textsOf(later)).size).toBe(2);
    });
  });
});

it('calls of one render share a response that is for one client, with its cookie', async () => {
  const { get } = pages({ dedupe: true });
  const page = get(`/render/${++names}?method=GET&method=GET`);
  await api.arrived(before + 1);
  answerAll({ 'set-cookie': 'user=1' });
  const [first, second] = (await page).text.split('; ');
  expect(first).toBe(`session-${sessions} session-${sessions} user=1`);
  expect(second).toBe(first);
  expect(api.asked.length - before).toBe(1);
});

it('calls are joined again after a response that can be shared', async () => {
  const { get, requests } = pages({ dedupe: true });
  const path = `/again/${++names}?method=GET&id=`;
  const askFor = async (headers: Record<string, string>): Promise<void> => {
    const asked = get(path + ++names);
    await expect.poll(() => owed.length).toBe(1);
    answerAll(headers);
    await asked;
  };
  await askFor({ 'cache-control': 'private' });
  await askFor({});
  const rendered = requests.length;
  const all = [get(path + ++names), get(path + ++names)];
  await expect.poll(() => requests.length).toBe(rendered + 2);
  await api.arrived(before + 3);
  answerAll({});
  expect(new Set(await textsOf(all)).size).toBe(1);
  expect(api.asked.length - before).toBe(3);
});

it('a joined call gets no response to another value of a header that Vary names', async () => {
  const { get, requests } = pages({ dedupe: true });
  const path = `/vary/${++names}?method=GET&id=`;
  const all = [get(`${path}1`), get(`${path}2`)];
  await expect.poll(() => requests.length).toBe(2);
  await api.arrived(before + 1);
  answerAll({ vary: 'X-Request-Id' });
  await api.arrived(before + 2);
  answerAll({ vary: 'X-Request-Id' });
  expect(new Set(await textsOf(all)).size).toBe(2);
});

it('processes that share a store have no response that is for one client', async () => {
  const shelf = new Shelf();
  const rule: CallRule = { cache: { sMaxAge: 60 } };
  const servers = [1, 2].map(() =>
    pages(rule, { features: [withSharedStore(shelf.open(), { buildId: 'b' })] }),
  );
  const path = `/store/${++names}?method=GET&id=`;
  const all = Array.from({ length: 10 }, (_, id) => servers[id % 2]!.get(path + id));
  expect(new Set(await textsOf(all)).size).toBe(10);
  expect(shelf.entries.size).toBe(0);
});
