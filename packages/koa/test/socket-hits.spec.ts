import { createKoaSsrServer } from '@ng-ssr/koa/server';
import { defineSocketHitsSuite } from '../../node/test/socket-hits/define-socket-hits-suite.ts';

defineSocketHitsSuite(createKoaSsrServer);
