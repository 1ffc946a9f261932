import { defineShutdownSuite, NODE } from './shutdown/define-shutdown-suite.ts';

defineShutdownSuite('node', new URL('./shutdown-server.ts', import.meta.url), {
  ...NODE,
  isReference: true,
});
