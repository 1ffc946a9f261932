import type { EntityTag } from './entity-tag.ts';
import { createScriptWriter } from './xxh3-script.ts';

export type { EntityTag, EntityTagOptions } from './entity-tag.ts';

const write = createScriptWriter();

/**
 * `entityTag` in plain JavaScript, for bundles that run where WebAssembly cannot be compiled, such as those of Workers. The
 * same tags as the package's main entry. Arguments are not checked.
 */
export const entityTag: EntityTag = (body, options) => write(body, options?.weak === true);
