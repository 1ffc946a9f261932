/** One implementation of the tag; its arguments are already checked. */
export type TagWriter = (body: Uint8Array | string, weak: boolean) => string;
