import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { defineHttp2Test } from '../../node/test/define-http2-test.ts';

defineHttp2Test(createFastifySsrServer);
