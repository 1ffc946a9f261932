import { defineShutdownSuite } from './shutdown/define-shutdown-suite.ts';

defineShutdownSuite(
  'node socket hits',
  new URL('./shutdown-socket-hits-server.ts', import.meta.url),
);
