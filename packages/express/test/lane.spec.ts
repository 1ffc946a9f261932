import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineLaneSuite } from '../../node/test/lane/define-lane-suite.ts';

defineLaneSuite(createExpressSsrServer);
