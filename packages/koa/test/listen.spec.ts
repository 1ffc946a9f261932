import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { defineEarlyCloseTest } from '../../node/test/define-early-close-test.ts';
import { definePrewarmingTest } from '../../node/test/define-prewarming-test.ts';
import { defineRepeatedHeadersTest } from '../../node/test/define-repeated-headers-test.ts';
import { defineUnreadContentTest } from '../../node/test/define-unread-content-test.ts';

definePrewarmingTest(createKoaSsrServer);
defineEarlyCloseTest(createKoaSsrServer);
defineRepeatedHeadersTest(createKoaSsrServer);
defineUnreadContentTest(createKoaSsrServer);
