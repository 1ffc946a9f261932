import { join, relative } from 'node:path/posix';
import { adapters } from './adapters.ts';
import type { Manifest } from './manifest.ts';
import type { Project } from './project.ts';
import { outputPathOf } from './serve-command.ts';
import { browserFolderOf } from './server-text.ts';

/** The script that the Angular CLI writes into package.json. */
const SCRIPT = 'build';
const PLAIN = 'ng build';
/** A script that `ng add` has written, also for an output path of before. */
const PACKING = /^ng build && ng-ssr pack [^&|;]+$/;

/** The command that packs a project's build, or undefined for one whose browser files have no own folder. */
export function packCommand(project: Project, manifest: Manifest): string | undefined {
  const browser = browserFolderOf(project);
  if (browser === '') return undefined;
  const folder = relative(manifest.folder, join('/', outputPathOf(project)));
  const option = browser === undefined ? '' : ` --browser ${quoted(browser)}`;
  return `ng-ssr pack ${quoted(folder)}${option}`;
}

/**
 * Has the script `build` pack the build, if it is that of the Angular CLI and builds this project.
 *
 * @returns Whether it was changed, or undefined if it packs already.
 */
export function addToBuildScript(
  manifest: Manifest,
  project: Project,
  command: string,
): boolean | undefined {
  const present = manifest.script(SCRIPT);
  if (present?.includes('ng-ssr pack') === true) return undefined;
  if (present !== PLAIN || project.isOneOfSeveral) return false;
  return manifest.setScript(SCRIPT, `${PLAIN} && ${command}`, [PLAIN]) !== undefined;
}

/**
 * Takes the command back when no package that has it is left.
 *
 * @returns The change as a phrase, or a line for a script that the user has to change; undefined for neither.
 */
export function removeFromBuildScript(
  manifest: Manifest,
): { readonly done: string } | { readonly left: string } | undefined {
  const present = manifest.script(SCRIPT);
  const isStillThere = adapters.some(({ packageName }) => manifest.has(packageName));
  if (present?.includes('ng-ssr ') !== true || isStillThere) return undefined;
  if (PACKING.test(present)) {
    manifest.setScript(SCRIPT, PLAIN, [present]);
    return { done: `changed the script ${SCRIPT}` };
  }
  return { left: `  The script ${SCRIPT} has the command ng-ssr, which is gone: remove it there.` };
}

function quoted(word: string): string {
  return /^[\w./@-]+$/.test(word) ? word : `"${word}"`;
}
