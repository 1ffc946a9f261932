import { createExpressSsrServer } from '@ng-ssr/express/server';
import { definePrewarmingTest } from '../../node/test/define-prewarming-test.ts';

definePrewarmingTest(createExpressSsrServer);
