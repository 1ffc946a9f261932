import type { Adapter, Framework } from '../adapter.ts';

interface FetchServer {
  /** Imports of the framework itself, and the line that creates the two halves of the handler. */
  readonly imports: readonly string[];
  /** The app with its routes; `pages` has the handler's halves. */
  readonly app: string;
  /** The expression that listens on `port`, and returns the server. */
  readonly listen: string;
  readonly toFramework: string;
}

function fetchServer({ imports, app, listen, toFramework }: FetchServer): Framework['serverFile'] {
  const subpath = toFramework.slice(2).toLowerCase();
  return ({ packageName, engineFactory, options }) => ({
    imports: [
      `import {
  ${engineFactory},
  createFetchSsrHandler,
  isMainModule,
  shutDownOnSignals,
  toReqHandler,
} from '${packageName}';`,
      `import { ${toFramework} } from '${packageName}/${subpath}';`,
      ...imports,
    ],
    statements: `const ssr = createFetchSsrHandler({
${options}});
const pages = ${toFramework}(ssr);

// Your routes: after built files and prerendered pages, before rendering.
${app}

export const reqHandler = toReqHandler((request: Request) => app.fetch(request));
if (isMainModule(import.meta.url)) {
  const port = Number(process.env['PORT'] ?? 4000);
  const server = ${listen};
  // On SIGTERM and SIGINT, open requests are finished before the process exits.
  shutDownOnSignals(server, ssr);
  // Compresses files before the first request.
  void ssr.ready();
}
`,
  });
}

export const fetch: Adapter = {
  name: 'fetch',
  packageName: '@ng-ssr/fetch',
  frameworks: {
    hono: {
      title: 'Hono',
      dependencies: { '@hono/node-server': '^2.0.0', hono: '^4.0.0' },
      devDependencies: {},
      serverFile: fetchServer({
        toFramework: 'toHono',
        imports: [`import { serve } from '@hono/node-server';`, `import { Hono } from 'hono';`],
        app: `const app = new Hono();
app.use(pages.answer);
app.get('/api/time', (c) => c.json({ now: Date.now() }));
app.all('*', pages.render);`,
        listen: `serve({ fetch: app.fetch, port }, () =>
    console.log(\`Listening on http://localhost:\${port}/\`),
  )`,
      }),
    },
    h3: {
      title: 'h3',
      dependencies: { h3: '^2.0.0' },
      devDependencies: {},
      serverFile: fetchServer({
        toFramework: 'toH3',
        imports: [`import { H3, serve } from 'h3';`],
        app: `const app = new H3();
app.use(pages.answer);
app.get('/api/time', () => ({ now: Date.now() }));
app.all('/**', pages.render);`,
        listen: `serve(app, { port, gracefulShutdown: false })`,
      }),
    },
    elysia: {
      title: 'Elysia',
      dependencies: { elysia: '^1.4.0', srvx: '^1.0.0' },
      devDependencies: {},
      serverFile: fetchServer({
        toFramework: 'toElysia',
        imports: [`import { Elysia } from 'elysia';`, `import { serve } from 'srvx';`],
        app: `const app = new Elysia()
  .onRequest(pages.answer)
  .onAfterHandle(pages.answered)
  .get('/api/time', () => ({ now: Date.now() }))
  .all('/*', pages.render, { parse: 'none' });`,
        listen: `serve({ fetch: (request) => app.fetch(request), port, gracefulShutdown: false })`,
      }),
    },
  },
};
