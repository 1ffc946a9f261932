import { createEntityTag, type EntityTag } from './entity-tag.ts';
import { writeTwinTag } from './twin-writer.ts';

export type { EntityTag, EntityTagOptions } from './entity-tag.ts';

/**
 * `entityTag` without native code and without the search for the addon: for bundles that run without
 * it, and for comparison. The same tags as the package's main entry.
 */
export const entityTag: EntityTag = createEntityTag(writeTwinTag);
