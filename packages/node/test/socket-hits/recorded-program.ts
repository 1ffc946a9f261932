import { createNodeSsrServer } from '@ng-ssr/node/server';
import { serveRecorded } from './recorded-server.ts';

await serveRecorded((options) => createNodeSsrServer(options));
