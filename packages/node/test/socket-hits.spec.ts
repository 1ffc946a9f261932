import { createNodeSsrServer } from '@ng-ssr/node/server';
import { defineSocketHitsSuite } from './socket-hits/define-socket-hits-suite.ts';

defineSocketHitsSuite(createNodeSsrServer);
