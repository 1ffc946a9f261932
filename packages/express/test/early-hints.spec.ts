import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineEarlyHintsTest } from '../../node/test/define-early-hints-test.ts';

defineEarlyHintsTest(createExpressSsrServer);
