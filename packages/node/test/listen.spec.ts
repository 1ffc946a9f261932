import { createNodeSsrServer } from '@ng-ssr/node/server';
import { definePrewarmingTest } from './define-prewarming-test.ts';

definePrewarmingTest(createNodeSsrServer);
