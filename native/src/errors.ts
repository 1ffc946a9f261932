/** Every error this package throws or reports has one of these codes. */
export type EtagErrorCode =
  | 'ERR_ETAG_BODY'
  | 'ERR_ETAG_OPTIONS'
  | 'ERR_ETAG_ENVIRONMENT'
  | 'ERR_ETAG_ADDON_UNAVAILABLE'
  | 'ERR_ETAG_MEMORY'
  | 'ERR_ETAG_NODE_API';

/** Describes a value for an error message. */
export function describe(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `string ${JSON.stringify(value)}`;
  if (typeof value === 'function' || typeof value === 'symbol') return `a ${typeof value}`;
  if (typeof value !== 'object') return `${typeof value} ${String(value)}`;
  const name: unknown = value.constructor?.name;
  return typeof name === 'string' && name !== '' ? `an instance of ${name}` : 'an object';
}

export function withCode<E extends Error>(error: E, code: EtagErrorCode): E & { code: string } {
  return Object.assign(error, { code });
}
