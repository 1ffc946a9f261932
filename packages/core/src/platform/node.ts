import { AsyncLocalStorage, AsyncResource } from 'node:async_hooks';
import { createHash, timingSafeEqual } from 'node:crypto';
import { channel } from 'node:diagnostics_channel';
import { inspect } from 'node:util';
import { nameSources } from './source-maps/name-sources.ts';
import { unwatchUncaught, watchUncaught } from './uncaught.ts';
import type { Channel, Platform } from './platform.ts';

/** How much of an object is shown. */
const SHOWN = { depth: 3, maxArrayLength: 20, maxStringLength: 1000, breakLength: 100 } as const;

/** Node, and runtimes with its modules. */
export const platform: Platform = {
  name: 'node',
  createContext: <T>() => new AsyncLocalStorage<T>(),
  bindToContext: (run) => AsyncResource.bind(run),
  channel: (name) => channel(name) as unknown as Channel,
  nameSources,
  watchUncaught,
  unwatchUncaught,
  show: (value) => inspect(value, SHOWN),
  toBytes: (text) => Buffer.from(text),
  viewOf: <Memory extends ArrayBufferLike>(bytes: Uint8Array<Memory>) => {
    const { buffer, byteOffset, byteLength } = bytes;
    return Buffer.from(buffer, byteOffset, byteLength) as Uint8Array as Uint8Array<Memory>;
  },
  toByteText: ({ buffer, byteOffset, byteLength }) =>
    Buffer.from(buffer, byteOffset, byteLength).toString('latin1'),
  isSameContent: (one, other) => Buffer.compare(one, other) === 0,
  isSameSecret: (given, secret) => timingSafeEqual(digest(given), digest(secret)),
};

function digest(text: string): Uint8Array {
  return createHash('sha256').update(text).digest();
}
