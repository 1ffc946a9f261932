// Compiles assembly/xxh3.ts to WebAssembly and writes it, in base64, as a module beside the
// sources: src/xxh3-binary.js. Does nothing while that file is newer than what it is made from.
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const source = fileURLToPath(new URL('../assembly/xxh3.ts', import.meta.url));
const target = fileURLToPath(new URL('../src/xxh3-binary.js', import.meta.url));
const self = fileURLToPath(import.meta.url);

const OPTIONS = [
  '--runtime=stub',
  '--noAssert',
  '-O3',
  '--converge',
  '--enable=simd,bulk-memory',
  // Two pages: the constants, the state and one window; see `capacity` in the source.
  '--initialMemory=2',
  '--maximumMemory=2',
  '--memoryBase=1024',
];

function modified(path) {
  return statSync(path, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

export async function compileTwin() {
  if (modified(target) > Math.max(modified(source), modified(self))) return;
  // Loaded here: the compiler takes longer to load than the check above.
  const { default: asc } = await import('assemblyscript/asc');
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-etag-'));
  try {
    const output = join(folder, 'xxh3.wasm');
    const { error, stderr } = await asc.main([source, '--outFile', output, ...OPTIONS]);
    if (error) throw new Error(`asc: ${error.message}\n${stderr}`);
    const text = readFileSync(output).toString('base64');
    writeFileSync(
      target,
      '// Written by tools/compile-twin.mjs from assembly/xxh3.ts.\n' +
        '/* eslint-disable */\n' +
        `export const binary =\n  '${text}';\n`,
    );
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** What vitest calls before the tests. */
export default compileTwin;
