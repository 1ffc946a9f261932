import { globSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root } from '../repository.ts';

/** A module that users import. */
export interface EntryPoint {
  /** As it is imported: `@ng-ssr/koa/prometheus`. */
  readonly name: string;
  /** The page: `api/koa/prometheus`. */
  readonly path: string;
  /** Its declarations, absolute. */
  readonly declarations: string;
}

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly exports?: Readonly<Record<string, string | { readonly types?: string }>>;
}

/** What other packages export again, in this order: their pages have it, the others lead there. */
const FIRST = ['core', 'engines', 'node'];

/** Every entry of every package that has types. */
export function findEntryPoints(): readonly EntryPoint[] {
  const manifests = globSync('packages/*/package.json', { cwd: root }).sort();
  const all = manifests.flatMap(ofPackage);
  const rank = ({ path }: EntryPoint): number => {
    const at = FIRST.indexOf(path.split('/')[1]!);
    return at === -1 ? FIRST.length : at;
  };
  return all.sort((a, b) => rank(a) - rank(b));
}

function ofPackage(file: string): readonly EntryPoint[] {
  const manifest = JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest;
  if (manifest.private) return [];
  return Object.entries(manifest.exports ?? {}).flatMap(([key, target]) => {
    if (typeof target === 'string' || target.types === undefined) return [];
    const name = join(manifest.name, key);
    const path = name.replace('@ng-ssr/', 'api/');
    return [{ name, path, declarations: join(root, dirname(file), target.types) }];
  });
}
