import { setFlagsFromString } from 'node:v8';

let isSet = false;

/**
 * Tells V8 to allocate every object of a render in the young generation. Once the objects of one place in the code
 * have survived a collection in the middle of a large page, V8 allocates that place's objects in the old generation
 * from then on. There they outlive their render, and with them each page that they refer to, until a major
 * collection.
 *
 * Applies to the process. Call it when the application is loaded: V8 takes no code from a cache (Node's own, and
 * `NODE_COMPILE_CACHE`) that was compiled with other flags.
 */
export function keepRendersYoung(): void {
  if (isSet || 'Bun' in globalThis) return;
  isSet = true;
  try {
    setFlagsFromString('--no-allocation-site-pretenuring');
  } catch {
    // A runtime without the flag renders as before.
  }
}
