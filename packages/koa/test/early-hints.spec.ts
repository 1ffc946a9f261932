import { createKoaSsrServer } from '@ng-ssr/koa/server';
import {
  defineEarlyHintsTest,
  defineHttp2EarlyHintsTest,
} from '../../node/test/define-early-hints-test.ts';

defineEarlyHintsTest(createKoaSsrServer);
defineHttp2EarlyHintsTest(createKoaSsrServer);
