import { fileURLToPath } from 'node:url';
import { defineSocketHitsDifferential } from './socket-hits/define-socket-hits-differential.ts';

defineSocketHitsDifferential(
  fileURLToPath(new URL('socket-hits/recorded-program.ts', import.meta.url)),
  [1],
);
