import { createExpressSsrServer } from '@ng-ssr/express/server';
import { expect, onTestFinished, test } from 'vitest';
import { createStoredSite } from '../../node/test/stored-site.ts';

async function serve(add: (ssr: ReturnType<typeof createExpressSsrServer>) => void) {
  const ssr = createExpressSsrServer(createStoredSite().options);
  onTestFinished(() => ssr.close());
  const reached: (string | undefined)[] = [];
  const { app } = ssr as unknown as { app: { request: object } };
  // Express gives each of its requests this prototype.
  const { request } = app;
  add(ssr);
  const { url, server } = await ssr.listen({ port: 0, host: '127.0.0.1', announce: false });
  server.on('request', (each) => {
    if (Object.getPrototypeOf(each) === request) reached.push(each.url);
  });
  const ask = async (path: string): Promise<[boolean, string | null]> => {
    const { headers } = await fetch(url + path);
    const isHit = headers.get('cache-status')?.startsWith('ng-ssr; hit') ?? false;
    return [isHit, headers.get('x-by')];
  };
  return { app: ssr.app, reached, ask };
}

test('without middleware a hit does not reach Express, before its first request and after', async () => {
  const { reached, ask } = await serve(() => undefined);
  expect(await ask('')).toEqual([true, null]);
  expect(reached).toEqual([]);
  const [first] = await ask('page');
  expect(first).toBe(false);
  for (const path of ['page', '', 'page']) expect(await ask(path)).toEqual([true, null]);
  expect(reached).toEqual(['/page']);
});

test('middleware that is added after hits sees the next ones', async () => {
  const { app, reached, ask } = await serve(() => undefined);
  expect(await ask('')).toEqual([true, null]);
  app.use((_request, response, next) => {
    response.setHeader('X-By', 'middleware');
    next();
  });
  for (const path of ['', '']) expect(await ask(path)).toEqual([true, 'middleware']);
  expect(reached).toEqual(['/', '/']);
});

test('a route of the app is before the pages, as middleware is', async () => {
  const { reached, ask } = await serve(({ app }) => {
    app.get('/', (_request, response) => void response.set('X-By', 'route').end());
  });
  expect(await ask('')).toEqual([false, 'route']);
  expect(reached).toEqual(['/']);
});

test('X-Powered-By that the app enables is on hits', async () => {
  const { reached, ask } = await serve(({ app }) => void app.enable('x-powered-by'));
  expect(await ask('')).toEqual([true, null]);
  expect(reached).toEqual(['/']);
});
