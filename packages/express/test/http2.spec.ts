import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineHttp2Test } from '../../node/test/define-http2-test.ts';

defineHttp2Test(createExpressSsrServer);
