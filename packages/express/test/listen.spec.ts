import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineEarlyCloseTest } from '../../node/test/define-early-close-test.ts';
import { definePrewarmingTest } from '../../node/test/define-prewarming-test.ts';

definePrewarmingTest(createExpressSsrServer);
defineEarlyCloseTest(createExpressSsrServer);
