import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { expect, onTestFinished, test } from 'vitest';
import type { Middleware } from 'koa';
import { createStoredSite } from '../../node/test/stored-site.ts';

test('without middleware a hit does not reach Koa; middleware that is added later sees it', async () => {
  const ssr = createKoaSsrServer(createStoredSite().options);
  onTestFinished(() => ssr.close());
  const createContext = ssr.app.createContext.bind(ssr.app);
  const reached: (string | undefined)[] = [];
  ssr.app.createContext = (request, response) => {
    reached.push(request.url);
    return createContext(request, response);
  };
  const { url } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });
  const ask = async (path: string): Promise<[boolean, string | null]> => {
    const { headers } = await fetch(url + path);
    const isHit = headers.get('cache-status')?.startsWith('ng-ssr; hit') ?? false;
    return [isHit, headers.get('x-by')];
  };
  expect(await ask('')).toEqual([true, null]);
  expect(reached).toEqual([]);
  const [first] = await ask('page');
  expect(first).toBe(false);
  expect(await ask('page')).toEqual([true, null]);
  expect(reached).toEqual(['/page']);
  ssr.app.use((context, next) => {
    context.set('X-By', 'middleware');
    return next();
  });
  for (const path of ['page', '', 'page']) {
    expect(await ask(path)).toEqual([true, 'middleware']);
  }
});

test('no page takes the place of a route, however a request spells its path', async () => {
  const ssr = createKoaSsrServer(createStoredSite().options);
  onTestFinished(() => ssr.close());
  ssr.router.get('/api/cart', (context) => (context.body = 'cart'));
  const { url } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });
  const texts: string[] = [];
  for (const path of ['api/cart', '%61pi/cart', 'api/cart']) {
    texts.push(await (await fetch(url + path)).text());
  }
  expect(texts).toEqual(['cart', 'render 1', 'cart']);
});

const byMiddleware: Middleware = (context, next) => {
  context.set('X-By', 'middleware');
  return next();
};

test.each<[string, (app: { middleware: Middleware[] }) => void]>([
  ['has another list of middleware', (app) => (app.middleware = [byMiddleware, ...app.middleware])],
  [
    'has a wrapper around a part of ours',
    ({ middleware }) => {
      const [first] = middleware;
      middleware[0] = (context, next) => byMiddleware(context, async () => first!(context, next));
    },
  ],
])('hits are seen if the app %s', async (_name, add) => {
  const ssr = createKoaSsrServer(createStoredSite().options);
  onTestFinished(() => ssr.close());
  add(ssr.app);
  const { url } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });
  const ask = async (): Promise<(string | null)[]> => {
    const { headers } = await fetch(url);
    return ['cache-status', 'x-by', 'x-second'].map((name) => headers.get(name));
  };
  expect(await ask()).toEqual(['ng-ssr; hit', 'middleware', null]);
  ssr.app.use((context, next) => {
    context.set('X-Second', '1');
    return next();
  });
  expect(await ask()).toEqual(['ng-ssr; hit', 'middleware', '1']);
});
