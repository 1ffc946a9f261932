import { readFileSync } from 'node:fs';
import { createServer } from 'node:https';
import { join } from 'node:path';
import { createNodeSsrServer } from '@ng-ssr/node/server';
import { serveRecorded } from './recorded-server.ts';

await serveRecorded(
  (options) => createNodeSsrServer(options),
  ({ reqHandler }, { isSecure, folder }) => {
    if (!isSecure) return undefined;
    const read = (name: string): Buffer => readFileSync(join(folder, '..', name));
    return createServer({ key: read('key.pem'), cert: read('cert.pem') }, reqHandler);
  },
);
