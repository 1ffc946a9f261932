import { appEngine, createFastifySsrServer } from '@ng-ssr/fastify';

export const server = createFastifySsrServer({ engine: appEngine() });
