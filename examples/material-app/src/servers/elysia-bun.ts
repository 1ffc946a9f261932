import { createFetchSsrHandler, isMain, toReqHandler } from '@ng-ssr/fetch';
import { toElysia } from '@ng-ssr/fetch/elysia';
import { Elysia } from 'elysia';
import { cache } from '../cache';
import { engine } from '../engine';
import { render } from '../render';

const pages = toElysia(createFetchSsrHandler({ engine, cache, render }));

const app = new Elysia()
  .onRequest(({ set }) => {
    set.headers['x-served-by'] = 'elysia-bun';
  })
  .onRequest(pages.answer)
  .get('/api/time', () => ({ now: Date.now() }))
  // The endpoint for purges reads the content itself.
  .all('/*', pages.render, { parse: 'none' });

export const reqHandler = toReqHandler((request: Request) => app.fetch(request));
export const listen = () =>
  app.listen(Number(process.env['PORT'] ?? 4000), ({ port }) =>
    console.log(`Listening on http://localhost:${port}/`),
  );
if (isMain(import.meta.url)) listen();
