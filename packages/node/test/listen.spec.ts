import { createNodeSsrServer } from '@ng-ssr/node/server';
import { defineEarlyCloseTest } from './define-early-close-test.ts';
import { definePrewarmingTest } from './define-prewarming-test.ts';
import { defineRepeatedHeadersTest } from './define-repeated-headers-test.ts';
import { defineUnreadContentTest } from './define-unread-content-test.ts';

definePrewarmingTest(createNodeSsrServer);
defineEarlyCloseTest(createNodeSsrServer);
defineRepeatedHeadersTest(createNodeSsrServer);
defineUnreadContentTest(createNodeSsrServer);
