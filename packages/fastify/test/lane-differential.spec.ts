import { fileURLToPath } from 'node:url';
import { defineLaneDifferential } from '../../node/test/lane/define-lane-differential.ts';

defineLaneDifferential(fileURLToPath(new URL('recorded-program.ts', import.meta.url)), true);
