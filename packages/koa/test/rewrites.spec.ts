import type { RequestListener } from 'node:http';
import { createKoaSsrServer, ssrMiddleware } from '@ng-ssr/koa/server';
import Koa from 'koa';
import { defineRewritesTest, type ToListener } from '../../node/test/define-rewrites-test.ts';

const server: ToListener = (options, rewrite) => {
  const ssr = createKoaSsrServer({ ...options, serveHits: 'before-middleware' });
  ssr.app.use((context, next) => {
    rewrite(context.req, context.res);
    return next();
  });
  return ssr.reqHandler as RequestListener;
};

const middleware: ToListener = (options, rewrite) => {
  const app = new Koa().use(ssrMiddleware(options)).use((context, next) => {
    rewrite(context.req, context.res);
    return next();
  });
  const listener = app.callback();
  return (request, response) => void listener(request, response);
};

defineRewritesTest("Koa's server", server);
defineRewritesTest("Koa's middleware", middleware);
