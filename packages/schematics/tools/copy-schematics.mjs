/**
 * Part of an adapter's build: copies the compiled schematics, with that adapter's factories alone,
 * into its dist/schematics. So its package has them without depending on another.
 */
import { copyFileSync, globSync, mkdirSync, rmSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

const from = join(import.meta.dirname, '..', 'dist');
const name = basename(process.cwd());
const to = join(process.cwd(), 'dist', 'schematics');
const compiled = globSync('**/*.{js,json,txt}', { cwd: from });
// Windows separates folders by backslashes.
const wanted = compiled
  .map((path) => path.split(sep).join('/'))
  .filter((path) => {
    if (path.startsWith('express/')) return name === 'express';
    const isAdapters = path.startsWith('factories') || path.endsWith('.collection.json');
    return !isAdapters || basename(path).startsWith(`${name}.`);
  });

rmSync(to, { recursive: true, force: true });
for (const path of wanted) {
  const target = join(to, path.replace(`${name}.collection`, 'collection'));
  mkdirSync(dirname(target), { recursive: true });
  copyFileSync(join(from, path), target);
}
