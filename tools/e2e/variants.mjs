/** The adapters as a user adds them: what comes behind `ng add`. */
export const adapters = {
  node: { packageName: '@ng-ssr/node', peers: [] },
  koa: { packageName: '@ng-ssr/koa', peers: ['koa', '@koa/router'] },
  fastify: { packageName: '@ng-ssr/fastify', peers: ['fastify'] },
  express: { packageName: '@ng-ssr/express', peers: ['express'] },
  hono: fetchAdapter('hono', ['hono', '@hono/node-server']),
  h3: fetchAdapter('h3', ['h3', 'srvx']),
  elysia: fetchAdapter('elysia', ['elysia', 'srvx']),
};

function fetchAdapter(framework, peers) {
  return { packageName: '@ng-ssr/fetch', framework, peers };
}

/** What must not be in node_modules unless the adapter is for it. */
export const frameworks = ['koa', 'fastify', 'express', 'hono', 'h3', 'elysia'];

/** The engines, each on another start: a stock server that is replaced, and no SSR at all. */
export const engines = {
  app: { start: 'with SSR', args: [] },
  common: { start: 'without SSR', args: ['--engine', 'common'] },
};

/** Applications that differ from a new one: each has a file of its own in applications/. */
export const applications = [
  ...['express-server', 'locales', 'ng-modules', 'nx', 'pnpm', 'yarn'],
  // What a page of the documentation tells its reader to do.
  ...['existing-express', 'tutorial'],
];
