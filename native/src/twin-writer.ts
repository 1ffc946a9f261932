import type { TagWriter } from './tag-writer.ts';
import { createScriptWriter } from './xxh3-script.ts';
import { createWebAssemblyWriter } from './xxh3-webassembly.ts';

function createTwinWriter(): TagWriter {
  try {
    return createWebAssemblyWriter();
  } catch {
    // No WebAssembly, none with 128-bit vectors, or a platform that forbids compilation.
    return createScriptWriter();
  }
}

let writer: TagWriter | undefined;

/** Compiled at the first call: with the addon it is never needed. */
export const writeTwinTag: TagWriter = (body, weak) => (writer ??= createTwinWriter())(body, weak);
