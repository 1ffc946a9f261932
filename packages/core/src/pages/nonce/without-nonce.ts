import type { PageTrait } from '../traits/page-trait.ts';
import { hasNonce } from './nonces-in.ts';

/** Pages of a server without `cache.nonce`: one with a nonce was made for one answer. */
export const WITHOUT_NONCE: PageTrait = {
  refuse: (rendered) => (hasNonce(rendered, undefined) ? 'nonce' : undefined),
  fromStored: (page) => (page.nonceAt === undefined ? page : undefined),
};
