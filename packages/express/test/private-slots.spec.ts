import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { ssrMiddleware } from '@ng-ssr/express/server';
import express from 'express';
import { onTestFinished, test } from 'vitest';
import { expectPrivate, FOR_CACHES, slottedSite } from '../../node/test/private-slots.ts';

test('headers that middleware sets in writeHead leave a page with slots private', async () => {
  const app = express();
  app.use((_request, response, next) => {
    const { writeHead } = response;
    // As on-headers does it.
    response.writeHead = (status: number) => {
      response.removeHeader('cache-control');
      for (const [name, value] of Object.entries(FOR_CACHES)) response.setHeader(name, value);
      return writeHead.call(response, status);
    };
    next();
  });
  app.use(ssrMiddleware(slottedSite()));
  const server = app.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  await expectPrivate(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
});
