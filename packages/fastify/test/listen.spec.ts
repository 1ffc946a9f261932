import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { definePrewarmingTest } from '../../node/test/define-prewarming-test.ts';

definePrewarmingTest(createFastifySsrServer);
