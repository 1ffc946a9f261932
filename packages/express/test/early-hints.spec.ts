import { createExpressSsrServer } from '@ng-ssr/express/server';
import {
  defineEarlyHintsTest,
  defineHttp2EarlyHintsTest,
} from '../../node/test/define-early-hints-test.ts';

defineEarlyHintsTest(createExpressSsrServer);
defineHttp2EarlyHintsTest(createExpressSsrServer);
