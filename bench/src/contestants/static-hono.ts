/** The static middleware of @hono/node-server. */
import { join } from 'node:path';
import { serve } from '@hono/node-server';
import { serveStatic } from '@hono/node-server/serve-static';
import { Hono } from 'hono';

const app = new Hono();
app.use('*', serveStatic({ root: join(process.argv[2] ?? '', 'browser') }));
serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`Listening on http://127.0.0.1:${port}/`),
);
