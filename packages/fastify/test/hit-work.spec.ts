import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { expect, test } from 'vitest';
import { hitWorkOfListener } from '../../core/test/path/hit-work-of-listener.ts';
import { createSite } from './site.ts';

test('a hit after middleware makes no promise and asks neither disk nor hash', async () => {
  const ssr = createFastifySsrServer(createSite());
  ssr.app.addHook('onRequest', (_request, _reply, done) => done());
  await ssr.ready();
  expect(await hitWorkOfListener(ssr.reqHandler, '/held')).toEqual({});
  await ssr.close();
});
