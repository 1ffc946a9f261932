/** A program whose server cannot start: its port is taken. Its engine logs uncaught errors, as Angular's do. */
import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { createNodeSsrServer } from '@ng-ssr/node/server';

const [adapter, port, way] = process.argv.slice(2);
process.on('unhandledRejection', (error) => console.error('unhandledRejection', error));
process.on('uncaughtException', (error) => console.error('uncaughtException', error));

const create = adapter === 'fastify' ? createFastifySsrServer : createNodeSsrServer;
const server = create({
  engine: () => null,
  allowedHosts: ['localhost'],
  files: { folder: import.meta.dirname },
});
const started = (): Promise<unknown> => server.listen({ port: Number(port) });
if (way === 'handled') await started().catch(() => console.error('another way is found'));
else if (way === 'awaited') await started();
else void started();
