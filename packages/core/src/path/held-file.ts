import type { Resource } from '../answers/resource.ts';
import { HeldResource } from '../files/held-resource.ts';

/**
 * Content that is answered as files of the build are: with an ETag, for HEAD, conditional and range requests.
 *
 * @param name - For messages.
 * @param cacheControl - For clients and proxies.
 */
export function heldFile(
  name: string,
  content: Uint8Array,
  { contentType, cacheControl }: { readonly contentType: string; readonly cacheControl: string },
): Resource {
  const others = { modifiedMs: undefined, isEncoded: false };
  return new HeldResource(name, content, { contentType, cacheControl, ...others });
}
