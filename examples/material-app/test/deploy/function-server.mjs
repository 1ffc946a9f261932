/**
 * Serves the module of a function as its platform calls it, on PORT: the default export is a listener of node:http
 * (`listener`), has `fetch` (`fetch`), or is a function of a Request and a context (`function`).
 */
import { serve } from '@hono/node-server';
import { createServer } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

const [file, kind] = process.argv.slice(2);
const { default: handler } = await import(pathToFileURL(resolve(file)).href);
const port = Number(process.env.PORT);

if (kind === 'listener') createServer(handler).listen(port, '127.0.0.1');
else {
  const fetch = kind === 'fetch' ? handler.fetch : (request) => handler(request, { deploy: {} });
  serve({ fetch, port, hostname: '127.0.0.1' });
}
