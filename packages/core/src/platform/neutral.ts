import { LocalChannel } from './local-channel.ts';
import type { Platform } from './platform.ts';

const encoder = new TextEncoder();
/** `latin1` names this encoding: ASCII is ASCII, and no byte is more than one character. */
const decoder = new TextDecoder('latin1');

/** Runtimes without Node's modules: Cloudflare Workers, Fastly Compute. */
export const platform: Platform = {
  name: 'neutral',
  createContext: () => ({ getStore: () => undefined, run: (_store, run) => run() }),
  bindToContext: (run) => run,
  channel: (name) => LocalChannel.of(name),
  nameSources: (stack) => stack,
  watchUncaught: () => undefined,
  unwatchUncaught: () => undefined,
  show: (value) => JSON.stringify(value) ?? String(value),
  toBytes: (text) => encoder.encode(text),
  viewOf: (bytes) => bytes,
  toByteText: (bytes) => decoder.decode(bytes),
  isSameContent: (one, other) =>
    one.byteLength === other.byteLength && one.every((byte, at) => byte === other[at]),
  isSameSecret: async (given, secret) => {
    const [one, other] = await Promise.all([digest(given), digest(secret)]);
    let difference = 0;
    one.forEach((byte, at) => (difference |= byte ^ other[at]!));
    return difference === 0;
  },
};

async function digest(text: string): Promise<Uint8Array> {
  return new Uint8Array(await globalThis.crypto.subtle.digest('SHA-256', encoder.encode(text)));
}
