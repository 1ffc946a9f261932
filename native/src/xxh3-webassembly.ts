import type { TagWriter } from './tag-writer.ts';
import { binary } from './xxh3-binary.js';

/** The exports of assembly/xxh3.ts; its comments describe the functions. */
interface Xxh3 {
  memory: { buffer: ArrayBuffer };
  input: { value: number };
  capacity: { value: number };
  digest: { value: number };
  consume(filled: number, first: boolean): number;
  finish(filled: number, total: number): void;
}

/** The part of the WebAssembly API used here; TypeScript declares it only in its DOM library. */
interface WebAssemblyApi {
  Module: new (bytes: Uint8Array) => object;
  Instance: new (module: object) => { exports: unknown };
}

/**
 * Instantiates the module, synchronously. Its memory is 128 KiB for inputs of any size: larger
 * inputs are processed in pieces.
 *
 * @throws where the runtime has no WebAssembly with 128-bit vectors, or forbids its compilation
 */
export function createWebAssemblyWriter(): TagWriter {
  const { WebAssembly } = globalThis as unknown as { WebAssembly: WebAssemblyApi };
  const code = Uint8Array.from(atob(binary), (character) => character.charCodeAt(0));
  const xxh3 = new WebAssembly.Instance(new WebAssembly.Module(code)).exports as Xxh3;
  const capacity = xxh3.capacity.value;
  const window = new Uint8Array(xxh3.memory.buffer, xxh3.input.value, capacity);
  const text = new Uint8Array(xxh3.memory.buffer, xxh3.digest.value, 11);
  const encoder = new TextEncoder();

  function hashBytes(body: Uint8Array): void {
    const total = body.length;
    if (total <= capacity) {
      // A detached array counts as empty, and `set` would throw for it.
      if (total > 0) window.set(body);
      xxh3.finish(total, total);
      return;
    }
    let filled = 0;
    let taken = 0;
    for (;;) {
      const end = Math.min(total, taken + capacity - filled);
      window.set(body.subarray(taken, end), filled);
      filled += end - taken;
      if (end === total) break;
      filled = xxh3.consume(filled, taken === 0);
      taken = end;
    }
    xxh3.finish(filled, total);
  }

  function hashString(body: string): void {
    let { read, written: filled } = encoder.encodeInto(body, window);
    let total = filled;
    for (let first = true; read < body.length; first = false) {
      const rest = xxh3.consume(filled, first);
      const next = encoder.encodeInto(body.slice(read), window.subarray(rest));
      read += next.read;
      total += next.written;
      filled = rest + next.written;
    }
    xxh3.finish(filled, total);
  }

  return (body, weak) => {
    if (typeof body === 'string') hashString(body);
    else hashBytes(body);
    // One call makes a flat string; concatenation would leave a tree to flatten when the header is written.
    // prettier-ignore
    const tag = String.fromCharCode(
      34, text[0]!, text[1]!, text[2]!, text[3]!, text[4]!, text[5]!,
      text[6]!, text[7]!, text[8]!, text[9]!, text[10]!, 34,
    );
    return weak ? `W/${tag}` : tag;
  };
}
