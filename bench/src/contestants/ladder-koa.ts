/** Steps of the ladder on Koa, on Node and on Bun: `ladder-koa.ts <dist> <plain|etag|cached>`. */
import type { AddressInfo } from 'node:net';
import { entityTag } from '@ng-ssr/etag';
import Koa from 'koa';
import conditionalGet from 'koa-conditional-get';
import { readHomePage, renderPage, sayListening } from './article-page.ts';

const step = process.argv[3];
const app = new Koa();
if (step === 'etag') {
  const { default: etag } = await import('koa-etag');
  app.use(conditionalGet()).use(etag());
}
if (step === 'cached') {
  const page = readHomePage();
  app.use(conditionalGet());
  app.use((context) => {
    context.type = 'text/html; charset=utf-8';
    context.body = page;
    context.set('ETag', entityTag(page));
  });
} else {
  app.use(async (context) => {
    const html = await renderPage(context.host, context.url);
    context.type = 'html';
    context.body = html;
  });
}
const server = app.listen(0, '127.0.0.1', () => {
  sayListening((server.address() as AddressInfo).port);
});
