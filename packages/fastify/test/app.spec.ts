import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { expect, onTestFinished, test } from 'vitest';
import { createStoredSite, getFrom } from '../../node/test/stored-site.ts';

test('the app alone answers as the server does', async () => {
  const { app } = createFastifySsrServer({
    ...createStoredSite().options,
    probes: { live: '/livez' },
  });
  onTestFinished(() => app.close());
  app.get('/api', () => 'api');
  const get = getFrom(Number(new URL(await app.listen({ port: 0, host: '127.0.0.1' })).port));
  expect(await get('/')).toContain('home');
  expect(await get('/page')).toBe('render 1');
  expect(await get('/api')).toBe('api');
  expect(await get('/livez')).toBe('ok\n');
});
