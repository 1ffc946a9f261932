import type { OwnCore } from '../../../path/own-feature.ts';
import type { Explanation } from '../protocol.ts';

/** The parts of a server that decide on an answer: the same objects that its request path uses. */
export type ExplainedParts = Pick<OwnCore, 'render' | 'rules' | 'server'>;

/** What the inspector remembers of the last renders, by path. */
export interface LastRenders {
  notStored(path: string): Explanation['notStored'];
  failure(path: string): Explanation['failure'];
  calls(path: string): Explanation['calls'];
}
