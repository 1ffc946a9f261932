/** One implementation of the tag: its arguments have been checked. */
export type TagWriter = (body: Uint8Array | string, weak: boolean) => string;
