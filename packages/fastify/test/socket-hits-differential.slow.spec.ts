import { fileURLToPath } from 'node:url';
import { defineSocketHitsDifferential } from '../../node/test/socket-hits/define-socket-hits-differential.ts';

defineSocketHitsDifferential(
  fileURLToPath(new URL('recorded-program.ts', import.meta.url)),
  [1, 2],
);
