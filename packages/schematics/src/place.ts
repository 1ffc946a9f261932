import type { Tree } from '@angular-devkit/schematics';
import { dirname, join } from 'node:path/posix';
import type { Adapter } from './adapter.ts';
import type { Cli } from './cli.ts';
import { middlewareAdvice } from './middleware-advice.ts';
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

/** What is asked for, beside what is there. */
export interface Wish {
  /** Whether a server that is there already may stay the build's. */
  readonly mayStandBeside: boolean;
  readonly overwrite: boolean;
  /** Whether the server that is there has the engine and the framework that are asked for. */
  readonly isAsAsked: boolean;
  readonly cli: Cli;
}

/** Decides without changing anything; a server of the user's is replaced only when asked. */
export function placeOf(
  tree: Tree,
  { name, packageName }: Adapter,
  present: ServerFile,
  { mayStandBeside, overwrite, isAsAsked, cli }: Wish,
): Place {
  const { path, origin, adapterPackage, isUntouched } = present;
  const replaced = { path, isBeside: false, isWritten: true, backup: undefined };
  if (origin === 'none' || origin === 'stock') return replaced;
  const isOurs = adapterPackage === packageName;
  if (isOurs && isAsAsked && (isUntouched || !overwrite)) return { ...replaced, isWritten: false };
  if (isUntouched && (isOurs || overwrite || !mayStandBeside)) return replaced;
  if (overwrite) return { ...replaced, backup: freeName(tree, path) };
  const beside = join(dirname(path), `server.${name}.ts`);
  if (mayStandBeside && !isOurs) {
    return { path: beside, isWritten: !tree.exists(beside), isBeside: true, backup: undefined };
  }
  throw refuse(
    'NG_SSR_SERVER_FILE_CHANGED',
    isOurs
      ? `${path} is a server of ${packageName} with changes of yours, for another engine or framework: --overwrite replaces it and keeps a backup.`
      : `${path} is ${adapterPackage === undefined ? 'not as Angular CLI wrote it' : `a server of ${adapterPackage} with changes of yours`}: ` +
          `--overwrite replaces it and keeps a backup, ${cli} generate ${packageName}:server writes ${beside} beside it.`,
    middlewareAdvice(present, cli),
  );
}

/** Where a file is kept that is replaced. */
export function freeName(tree: Tree, path: string): string {
  let name = `${path}.backup`;
  for (let count = 2; tree.exists(name); count++) name = `${path}.backup${count}`;
  return name;
}
