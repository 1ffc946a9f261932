import { serve } from '@hono/node-server';
import { createFetchSsrHandler, isMain, toReqHandler } from '@ng-ssr/fetch';
import { toHono } from '@ng-ssr/fetch/hono';
import { type Context, Hono } from 'hono';
import { cache } from '../cache';
import { engine } from '../engine';
import { render } from '../render';

const pages = toHono(createFetchSsrHandler<[Context]>({ engine, cache, render }));
const app = new Hono();

app.use(async (c, next) => {
  c.header('X-Served-By', 'hono');
  await next();
}, pages.answer);

app.get('/api/time', (c) => c.json({ now: Date.now() }));
app.all('*', pages.render);

export const reqHandler = toReqHandler((request: Request) => app.fetch(request));
export const listen = () =>
  serve({ fetch: app.fetch, port: Number(process.env['PORT'] ?? 4000) }, ({ port }) =>
    console.log(`Listening on http://localhost:${port}/`),
  );
if (isMain(import.meta.url)) listen();
