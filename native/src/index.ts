import { loadAddon } from './addon.ts';
import { createEntityTag, type EntityTag } from './entity-tag.ts';
import { writeTwinTag } from './twin-writer.ts';

export type { EntityTag, EntityTagOptions } from './entity-tag.ts';
export type { EtagErrorCode } from './errors.ts';

const { write, error } = loadAddon();

/**
 * The implementation in this process: the C++ addon, or its twin in JavaScript and WebAssembly,
 * which computes the same tags. `NG_SSR_ETAG=js` selects the twin, `NG_SSR_ETAG=native` makes a
 * missing addon an error at import (`ERR_ETAG_ADDON_UNAVAILABLE`); any other value is refused
 * (`ERR_ETAG_ENVIRONMENT`).
 */
export const implementation: 'native' | 'js' = write === undefined ? 'js' : 'native';

/**
 * Why the addon is not in use, with the code `ERR_ETAG_ADDON_UNAVAILABLE`; `undefined` when it is
 * in use and when `NG_SSR_ETAG=js` asked for the twin.
 */
export const loadError: Error | undefined = error;

/**
 * Makes the ETag of a representation from its bytes: `"…"`, or `W/"…"` with `weak: true`. See
 * `EntityTag` for the form of the tag and the errors.
 */
export const entityTag: EntityTag = createEntityTag(write ?? writeTwinTag);
