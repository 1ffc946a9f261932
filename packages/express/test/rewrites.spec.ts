import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createExpressSsrServer, ssrMiddleware } from '@ng-ssr/express/server';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { countParsed } from '../../node/test/count-parsed.ts';
import {
  defineEarlierStatusTest,
  defineRewritesTest,
  type ToListener,
} from '../../node/test/define-rewrites-test.ts';
import { echoPath, expectWholeTargets, getFrom } from '../../node/test/stored-site.ts';

const server: ToListener = (options, rewrite) => {
  const ssr = createExpressSsrServer({ ...options, serveHits: 'before-middleware' });
  ssr.app.use((request, response, next) => {
    rewrite(request, response);
    next();
  });
  return ssr.reqHandler as RequestListener;
};

const middleware: ToListener = (options, rewrite) => {
  const ssr = ssrMiddleware(options);
  const app = express().use(ssr.answer);
  app.use((request, response, next) => {
    rewrite(request, response);
    next();
  });
  return app.use(ssr) as RequestListener;
};

for (const [name, toListener] of Object.entries({ server, middleware })) {
  defineRewritesTest(`Express's ${name}`, toListener);
  defineEarlierStatusTest(`Express's ${name}`, toListener);
}

test('a request that was looked up before a mount has its whole target below it', async () => {
  const ssr = ssrMiddleware({ engine: echoPath, allowedHosts: ['127.0.0.1'] });
  const inner = express().use('/', ssr);
  const server = express().use(ssr.answer).use('/shop', inner).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  const get = getFrom((server.address() as AddressInfo).port);
  await expectWholeTargets(get);
  expect(await countParsed(() => get('/shop/new'))).toBe(2);
});
