/**
 * Koa with a static server and a router of 100 routes: `static-order.ts <dist> <before|after>` says
 * whether files are looked up before the routes.
 */
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import Router from '@koa/router';
import Koa from 'koa';
import serve from 'koa-static';

const router = new Router();
for (let i = 0; i < 100; i++) {
  router.get(`/api/things-${i}/:id`, (context) => {
    context.body = { id: context.params['id'] };
  });
}
const files = serve(join(process.argv[2] ?? '', 'browser'));
const app = new Koa();
if (process.argv[3] === 'before') app.use(files).use(router.routes());
else app.use(router.routes()).use(files);
const server = app.listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
