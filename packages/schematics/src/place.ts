import type { Tree } from '@angular-devkit/schematics';
import { dirname, join } from 'node:path/posix';
import type { Adapter, ServerOptions } from './adapter.ts';
import { refuse } from './refusal.ts';
import type { ServerFile } from './server-file.ts';

/** Where the adapter's server goes, and what becomes of the one that is there. */
export interface Place {
  readonly path: string;
  /** False where the adapter's server is there already: it is the user's by now. */
  readonly isWritten: boolean;
  /** Whether another server stays the build's own, and this one gets a configuration. */
  readonly isBeside: boolean;
  /** What a server of the user's is renamed to. */
  readonly backup: string | undefined;
}

/** Decides without changing anything; a server of the user's is replaced only when asked. */
export function placeOf(
  tree: Tree,
  { name, packageName }: Adapter,
  present: ServerFile,
  { mayStandBeside, overwrite }: ServerOptions & { mayStandBeside: boolean },
): Place {
  const { path, origin, adapterPackage } = present;
  const here = { path, isBeside: false };
  if (origin === 'none' || origin === 'stock') {
    return { ...here, isWritten: true, backup: undefined };
  }
  if (overwrite === true) return { ...here, isWritten: true, backup: freeName(tree, path) };
  if (adapterPackage === packageName) return { ...here, isWritten: false, backup: undefined };
  const beside = join(dirname(path), `server.${name}.ts`);
  if (mayStandBeside) {
    return { path: beside, isWritten: !tree.exists(beside), isBeside: true, backup: undefined };
  }
  throw refuse(
    'NG_SSR_SERVER_FILE_CHANGED',
    `${path} ${adapterPackage === undefined ? 'is not as Angular CLI wrote it' : `is a server of ${adapterPackage}`}: ` +
      `--overwrite replaces it and keeps a backup, ng generate ${packageName}:server writes ${beside} beside it.`,
  );
}

function freeName(tree: Tree, path: string): string {
  let name = `${path}.backup`;
  for (let count = 2; tree.exists(name); count++) name = `${path}.backup${count}`;
  return name;
}
