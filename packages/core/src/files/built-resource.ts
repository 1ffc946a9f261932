import type { Resource } from '../answers/resource.ts';

/** A built file that is held, here or in the memory of another thread. */
export interface BuiltResource extends Resource {
  /** Below the browser folder, with `/` in front. */
  readonly path: string;
  readonly body: Uint8Array;
}
