import { createNodeSsrServer } from '@ng-ssr/node/server';
import { defineLaneSuite } from './lane/define-lane-suite.ts';

defineLaneSuite(createNodeSsrServer);
