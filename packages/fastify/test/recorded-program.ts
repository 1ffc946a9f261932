import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createFastifySsrServer, type FastifySsrServerOptions } from '@ng-ssr/fastify/server';
import { serveRecorded } from '../../node/test/socket-hits/recorded-server.ts';

await serveRecorded((options, { folder, isSecure }) => {
  const read = (name: string): Buffer => readFileSync(join(folder, '..', name));
  const fastify = isSecure ? { https: { key: read('key.pem'), cert: read('cert.pem') } } : {};
  return createFastifySsrServer({
    ...options,
    fastify: fastify as FastifySsrServerOptions['fastify'],
  });
});
