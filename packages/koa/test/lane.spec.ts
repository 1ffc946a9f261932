import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { defineLaneSuite } from '../../node/test/lane/define-lane-suite.ts';

defineLaneSuite(createKoaSsrServer);
