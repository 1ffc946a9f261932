/**
 * One build, a server per adapter: ADAPTER says which of those in servers/ this process runs. An
 * application of yours has one of them as its server.ts.
 */
import { isMainModule } from '@ng-ssr/fetch';

const adapters = {
  koa: () => import('./servers/koa'),
  node: () => import('./servers/node'),
  fastify: () => import('./servers/fastify'),
  express: () => import('./servers/express'),
  hono: () => import('./servers/hono'),
  h3: () => import('./servers/h3'),
  'elysia-bun': () => import('./servers/elysia-bun'),
};

const name = process.env['ADAPTER'] ?? 'koa';
if (!Object.hasOwn(adapters, name)) {
  throw new Error(`ADAPTER is "${name}"; allowed: ${Object.keys(adapters).join(', ')}`);
}
const server = await adapters[name as keyof typeof adapters]();

export const reqHandler: unknown = server.reqHandler;
if (isMainModule(import.meta.url)) await server.listen();
