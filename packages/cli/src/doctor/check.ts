import type { Facts } from './facts/facts.ts';
import type { Finding } from './finding.ts';

/** Looks at one subject. */
export type Check = (facts: Facts) => readonly Finding[];
