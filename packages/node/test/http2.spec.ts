import { createNodeSsrServer } from '@ng-ssr/node/server';
import { defineHttp2Test } from './define-http2-test.ts';

defineHttp2Test(createNodeSsrServer);
