import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import {
  defineEarlyHintsTest,
  defineHttp2EarlyHintsTest,
} from '../../node/test/define-early-hints-test.ts';

defineEarlyHintsTest(createFastifySsrServer);
defineHttp2EarlyHintsTest(createFastifySsrServer);
