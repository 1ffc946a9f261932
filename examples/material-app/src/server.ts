/**
 * One build, a server per adapter: ADAPTER says which of those in servers/ this process runs. An
 * application of yours has one of them as its server.ts.
 */
const adapters = {
  koa: () => import('./servers/koa'),
  node: () => import('./servers/node'),
};

const name = process.env['ADAPTER'] ?? 'koa';
if (!Object.hasOwn(adapters, name)) {
  throw new Error(`ADAPTER is "${name}": allowed are ${Object.keys(adapters).join(', ')}`);
}
const { server } = await adapters[name as keyof typeof adapters]();

export const reqHandler = server.reqHandler;
if (server.isMain(import.meta.url)) await server.listen();
