/** For authors of page stores: how entries are written, what purges mean, and how leases are held. */
export { decodeBrotli } from './features/shared-store/decode-brotli.ts';
export { digestOf, pathOfKey } from './features/shared-store/key-digest.ts';
export * from './features/shared-store/entry-format.ts';
export * from './features/shared-store/purge-records.ts';
export * from './features/shared-store/held-lease.ts';
export { Invalidations } from './features/shared-store/invalidations.ts';
export { NoAnswerError, within } from './features/shared-store/reply-deadline.ts';
export { timeLimit } from './timers.ts';
export { assertKnownOptions, check } from './check-option.ts';
export { group, option, type Option, type Table, withDefault } from './options/option.ts';
export { wholeNumber } from './options/option-values.ts';
