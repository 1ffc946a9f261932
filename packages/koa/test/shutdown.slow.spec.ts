import { defineShutdownSuite } from '../../node/test/shutdown/define-shutdown-suite.ts';

defineShutdownSuite('koa', new URL('./shutdown-server.ts', import.meta.url));
