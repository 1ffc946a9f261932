import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { definePrewarmingTest } from '../../node/test/define-prewarming-test.ts';

definePrewarmingTest(createKoaSsrServer);
