import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { defineHttp2Test } from '../../node/test/define-http2-test.ts';

defineHttp2Test(createKoaSsrServer);
