import { fileURLToPath } from 'node:url';
import { defineLaneDifferential } from './lane/define-lane-differential.ts';

defineLaneDifferential(fileURLToPath(new URL('lane/recorded-program.ts', import.meta.url)), false);
