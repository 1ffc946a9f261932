import { toElysia } from '@ng-ssr/fetch/elysia';
import { createFetchSsrHandler } from '@ng-ssr/fetch/server';
import { Elysia } from 'elysia';
import { options, tell } from '../../../node/test/shutdown/child.ts';
import { Bun, stop } from './bun.ts';
import { closing, endOnSigterm } from './end-on-sigterm.ts';

const ssr = createFetchSsrHandler(options);
const pages = toElysia(ssr);
const app = new Elysia()
  .onRequest(pages.answer)
  .post('/api/echo', ({ body }) => body, { parse: 'text' })
  .all('/*', pages.render);
const server = Bun.serve({ port: 0, hostname: '127.0.0.1', fetch: closing(ssr, app.fetch) });
endOnSigterm(ssr, () => stop(server));
tell(server.port);
