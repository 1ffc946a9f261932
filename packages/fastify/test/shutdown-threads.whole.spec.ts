import { defineShutdownSuite } from '../../node/test/shutdown/define-shutdown-suite.ts';
import { threadsMissing } from '../../node/test/threads/threads-missing.ts';

defineShutdownSuite('fastify, server threads', new URL('./shutdown-server.ts', import.meta.url), {
  command: [process.execPath],
  missing: threadsMissing,
  threads: 2,
});
