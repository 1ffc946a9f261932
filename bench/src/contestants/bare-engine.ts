/** The engine's own render and nothing else: the app engine of a build, called from node:http. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const bundle = pathToFileURL(join(process.argv[2] ?? '', 'server/server.mjs')).href;
const { AngularAppEngine } = (await import(bundle)) as {
  AngularAppEngine: new () => { handle(request: Request): Promise<Response | null> };
};
const engine = new AngularAppEngine();

const server = createServer((request, response) => {
  const url = `http://${request.headers.host}${request.url}`;
  engine
    .handle(new Request(url, { headers: request.headers as Record<string, string> }))
    .then(async (answer) => {
      if (answer === null) {
        response.writeHead(404).end();
        return;
      }
      const body = new Uint8Array(await answer.arrayBuffer());
      response.writeHead(answer.status, [...answer.headers].flat()).end(body);
    })
    .catch(() => response.writeHead(500).end());
}).listen(0, '127.0.0.1', () => {
  console.log(`Listening on http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
