import { defineShutdownSuite } from '../../node/test/shutdown/define-shutdown-suite.ts';

defineShutdownSuite('fastify', new URL('./shutdown-server.ts', import.meta.url));
