import { defineShutdownSuite } from './shutdown/define-shutdown-suite.ts';

defineShutdownSuite('node', new URL('./shutdown-server.ts', import.meta.url));
