import { toElysia } from '@ng-ssr/fetch/elysia';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { expect, test } from 'vitest';
import {
  createStoredSite,
  expectStoredPages,
  PURGE_ENDPOINT,
  PURGE_FIELDS,
} from '../../node/test/stored-site.ts';

const ORIGIN = 'http://127.0.0.1';

test('the handler purges and shows its stored pages, and leaves the shared store', async () => {
  const { options, store } = createStoredSite();
  const ssr = createFetchSsrHandler(options);
  await expectStoredPages(ssr.cache, store, async (target) => {
    const response = await ssr(new Request(ORIGIN + target));
    return response.text();
  });
  expect(store.isClosed).toBe(false);
  await ssr.close();
  expect(store.isClosed).toBe(true);
});

test('a purge counts where Elysia has parsed it', async () => {
  const { options, store } = createStoredSite();
  const pages = toElysia(createFetchSsrHandler(options));
  const app = new Elysia().onRequest(pages.answer).all('/*', pages.render);
  for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
    const request = new Request(ORIGIN + PURGE_ENDPOINT.path, {
      method: 'POST',
      headers: { ...PURGE_FIELDS, 'content-type': type },
      body: '{"tag":"letters"}',
    });
    expect((await app.handle(request)).status, type).toBe(200);
  }
  expect(store.purges).toHaveLength(3);
});
