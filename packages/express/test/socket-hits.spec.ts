import { createExpressSsrServer } from '@ng-ssr/express/server';
import { defineSocketHitsSuite } from '../../node/test/socket-hits/define-socket-hits-suite.ts';

defineSocketHitsSuite(createExpressSsrServer);
