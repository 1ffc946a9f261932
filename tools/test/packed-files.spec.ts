import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, sep } from 'node:path';
import { expect, test } from 'vitest';

const root = join(import.meta.dirname, '../..');
const golden = readFileSync(join(root, 'tools/e2e/packed-files.txt'), 'utf8');
const folders = [
  ...readdirSync(join(root, 'packages')).map((name) => join(root, 'packages', name)),
  join(root, 'native'),
];
const SCHEMATICS = 'dist/schematics/';

/** The lists of packed-files.txt by the name of their package. */
const packages = new Map(
  golden.split('\n\n').map((section) => {
    const [name = '', ...lines] = section.trimEnd().split('\n');
    return [name, lines.map((line) => line.trim())];
  }),
);

/**
 * The modules below a folder, without their ending. Those of a folder with a tsconfig.json of its own are bundled into
 * another module, and not in the package.
 */
function modulesOf(folder: string): string[] {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).map((path) =>
    path.split(sep).join('/'),
  );
  const apart = paths
    .filter((path) => path.endsWith('/tsconfig.json'))
    .map((path) => path.slice(0, -'tsconfig.json'.length));
  return paths
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.d.ts'))
    .filter((path) => !apart.some((own) => path.startsWith(own)))
    .map((path) => path.slice(0, -'.ts'.length));
}

function nameOf(folder: string): string {
  const file = join(folder, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { name: string }).name : '';
}

// The list itself is compared with the tarballs by `npm run e2e -- --packages`, from a clean build.
test.each(
  folders.map((folder) => [nameOf(folder), folder]).filter(([name]) => packages.has(name!)),
)('packed-files.txt lists what is built of the sources of %s', (name, folder) => {
  const listed = packages.get(name!)!.filter((line) => line.startsWith('dist/'));
  const modules = listed
    .filter((line) => !line.startsWith(SCHEMATICS) && line.endsWith('.{js,d.ts}'))
    .map((line) => line.slice('dist/'.length, -'.{js,d.ts}'.length));
  expect(modules.toSorted()).toEqual(modulesOf(join(folder!, 'src')).toSorted());

  const schematics = listed
    .filter((line) => line.startsWith(SCHEMATICS) && line.endsWith('.js'))
    .map((line) => line.slice(SCHEMATICS.length, -'.js'.length));
  const known = modulesOf(join(root, 'packages/schematics/src'));
  expect(schematics.filter((module) => !known.includes(module))).toEqual([]);
});
