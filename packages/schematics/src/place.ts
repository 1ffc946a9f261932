import type { Tree } from '@angular-devkit/schematics';
import { dirname, join } from 'node:path/posix';
import type { Adapter } from './adapter.ts';
import { isrAdvice } from './isr-advice.ts';
import { middlewareAdvice } from './middleware-advice.ts';
import { refuse } from './refusal.ts';
import type { ServerFile } from './server-file.ts';

/** The place of the adapter's server, and what happens to an existing one. */
export interface Place {
  readonly path: string;
  /** False where the adapter's server exists already: the user may have changed it. */
  readonly isWritten: boolean;
  /** Whether another server stays the build's, and this one gets its own configuration. */
  readonly isBeside: boolean;
  /** The new name of the user's own server. */
  readonly backup: string | undefined;
}

/** The commands that a refusal names. */
export interface PlaceCommands {
  /** The current command, with `--overwrite`. */
  readonly overwrite: string;
  /** Writes a server beside the existing one. */
  readonly beside: string;
  /** Adds the pages to an Express server. */
  readonly middleware: string;
}

/** The user's choices, compared with the existing server. */
export interface Wish {
  /** Whether an existing server may stay the build's. */
  readonly mayStandBeside: boolean;
  readonly overwrite: boolean;
  /** Whether the existing server has the requested engine and framework. */
  readonly isAsAsked: boolean;
  readonly commands: PlaceCommands;
}

/** Decides, without a change; the user's own server is replaced only with `--overwrite`. */
export function placeOf(
  tree: Tree,
  { name, packageName }: Adapter,
  present: ServerFile,
  { mayStandBeside, overwrite, isAsAsked, commands }: Wish,
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
  const isr = isrAdvice(present, commands.overwrite);
  if (isr !== undefined) throw refuse('NG_SSR_SERVER_FILE_CHANGED', ...isr);
  throw refuse(
    'NG_SSR_SERVER_FILE_CHANGED',
    isOurs
      ? `${path} is a server of ${packageName} for another engine or framework, and you have changed it: ${commands.overwrite} replaces it and keeps a backup.`
      : `${path} is ${adapterPackage === undefined ? 'not as Angular CLI wrote it' : `a server of ${adapterPackage} that you have changed`}: ` +
          `${commands.overwrite} replaces it and keeps a backup, ${commands.beside} writes ${beside} beside it.`,
    middlewareAdvice(present, commands.middleware),
  );
}

/** A free name for the backup of a file. */
export function freeName(tree: Tree, path: string): string {
  let name = `${path}.backup`;
  for (let count = 2; tree.exists(name); count++) name = `${path}.backup${count}`;
  return name;
}
