import { defineShutdownSuite } from './shutdown/define-shutdown-suite.ts';
import { threadsMissing } from './threads/threads-missing.ts';

defineShutdownSuite('node, server threads', new URL('./shutdown-server.ts', import.meta.url), {
  command: [process.execPath],
  missing: threadsMissing,
  threads: 2,
  isReference: true,
});
