import type { RequestListener } from 'node:http';
import { setTimeout as delay } from 'node:timers/promises';
import { createNodeSsrServer, ssrMiddleware } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';
import {
  defineEarlierStatusTest,
  defineRewritesTest,
  type ToListener,
} from './define-rewrites-test.ts';
import { getFrom } from './stored-site.ts';

const server: ToListener = (options, rewrite) => {
  const ssr = createNodeSsrServer({ ...options, serveHits: 'before-middleware' });
  ssr.use((request, response, next) => {
    rewrite(request, response);
    next();
  });
  return ssr.reqHandler as RequestListener;
};

const middleware: ToListener = (options, rewrite) => {
  const ssr = ssrMiddleware(options);
  return (request, response) =>
    ssr.answer(request, response, () => {
      rewrite(request, response);
      ssr(request, response, () => response.writeHead(404).end());
    });
};

for (const [name, toListener] of Object.entries({ server, middleware })) {
  defineRewritesTest(`node's ${name}`, toListener);
  defineEarlierStatusTest(`node's ${name}`, toListener);
}

test('a file is found whose host was not decided on before middleware, and is after it', async () => {
  const ssr = createNodeSsrServer({
    engine: () => null,
    allowedHosts: async () => true,
    files: { folder: writeBuiltSite({ 'browser/a/index.html': prerendered('page a') }) },
    serveHits: 'before-middleware',
  });
  ssr.use((_request, _response, next) => void delay(20).then(next));
  const { port } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });
  onTestFinished(() => ssr.close());
  expect(await getFrom(port)('/a')).toContain('page a');
});
