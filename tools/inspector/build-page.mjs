/**
 * Bundles the page of the inspector (packages/core/inspector-page) into a module of two strings: a user's server is
 * one bundle that reads no files of its packages. `--check` only compares.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

const core = join(import.meta.dirname, '../../packages/core');
const target = join(core, 'src/features/inspector/page-assets.ts');

async function bundle(entry) {
  const { outputFiles } = await build({
    entryPoints: [join(core, 'inspector-page', entry)],
    bundle: true,
    minify: true,
    write: false,
    format: 'esm',
    target: 'es2022',
    charset: 'ascii',
    legalComments: 'none',
    logLevel: 'warning',
  });
  return outputFiles[0].text.trim();
}

const [script, style] = await Promise.all([bundle('main.ts'), bundle('style.css')]);
const written = `// Made of packages/core/inspector-page by tools/inspector/build-page.mjs.

export const SCRIPT: string = ${JSON.stringify(script)};

export const STYLE: string = ${JSON.stringify(style)};
`;

if (process.argv.includes('--check')) {
  if (readFileSync(target, 'utf8') !== written) {
    console.error('page-assets.ts is not that of inspector-page: run npm run inspector-page');
    process.exit(1);
  }
} else {
  writeFileSync(target, written);
  console.log(`${target}: ${script.length} characters of script, ${style.length} of style`);
}
