/** Writes the pages of docs/ that are made of the sources: node tools/docs/generate.ts */
import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { generatedPages, root } from './generated-pages.ts';

for (const [path, text] of await generatedPages()) {
  writeFileSync(join(root, path), text);
  console.log(`written ${relative(process.cwd(), join(root, path))}`);
}
