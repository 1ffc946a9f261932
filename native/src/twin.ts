import { createEntityTag, type EntityTag } from './entity-tag.ts';
import type { TagWriter } from './tag-writer.ts';
import { createScriptWriter } from './xxh3-script.ts';
import { createWebAssemblyWriter } from './xxh3-webassembly.ts';

export type { EntityTag, EntityTagOptions } from './entity-tag.ts';

function createTwinWriter(): TagWriter {
  try {
    return createWebAssemblyWriter();
  } catch {
    // No WebAssembly, none with 128-bit vectors, or a platform that forbids compilation.
    return createScriptWriter();
  }
}

let writer: TagWriter | undefined;

/** Compiled at the first call: with the addon it is never needed. */
export const writeTwinTag: TagWriter = (body, weak) => (writer ??= createTwinWriter())(body, weak);

/**
 * `entityTag` without native code and without the search for the addon: for bundles that run without
 * it, and for comparison. The same tags as the package's main entry.
 */
export const entityTag: EntityTag = createEntityTag(writeTwinTag);
