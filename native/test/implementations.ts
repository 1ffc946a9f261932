import { createRequire } from 'node:module';
import { isStringOneByteRepresentation } from 'node:v8';

import type { TagWriter } from '../src/tag-writer.ts';
import { createScriptWriter } from '../src/xxh3-script.ts';
import { createWebAssemblyWriter } from '../src/xxh3-webassembly.ts';

interface Addon {
  entityTag(body: Uint8Array | string, weak: boolean, oneByte?: boolean): string;
}

function loadAddon(): Addon | undefined {
  try {
    return createRequire(import.meta.url)('../addon.cjs') as Addon;
  } catch {
    return undefined;
  }
}

const addon = loadAddon();

/** Said in the title of what is skipped without the addon. */
export const missingAddon =
  'the addon is not built; it needs a compiler and `npm run build --workspace=@ng-ssr/etag`';

export const isAddonMissing = addon === undefined;

if (isAddonMissing && process.env['CI'] === 'true') throw new Error(`In CI: ${missingAddon}`);

const absent: TagWriter = () => {
  throw new Error(missingAddon);
};

export const webAssembly: TagWriter = createWebAssemblyWriter();
export const script: TagWriter = createScriptWriter();

/** As loaded where V8 tells how it holds a string, and as loaded elsewhere. */
export const native: TagWriter =
  addon === undefined
    ? absent
    : (body, weak) =>
        addon.entityTag(
          body,
          weak,
          typeof body === 'string' ? isStringOneByteRepresentation(body) : undefined,
        );
export const nativeUnhinted: TagWriter =
  addon === undefined ? absent : (body, weak) => addon.entityTag(body, weak);

export const implementations: { name: string; write: TagWriter; isMissing: boolean }[] = [
  { name: 'the addon', write: native, isMissing: isAddonMissing },
  { name: 'the addon, unhinted', write: nativeUnhinted, isMissing: isAddonMissing },
  { name: 'WebAssembly', write: webAssembly, isMissing: false },
  { name: 'plain JavaScript', write: script, isMissing: false },
];
