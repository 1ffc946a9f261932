import { createFastifySsrServer } from '@ng-ssr/fastify/server';
import { defineLaneSuite } from '../../node/test/lane/define-lane-suite.ts';

defineLaneSuite(createFastifySsrServer);
