import { defineShutdownSuite } from './shutdown/define-shutdown-suite.ts';

defineShutdownSuite('node lane', new URL('./shutdown-lane-server.ts', import.meta.url));
