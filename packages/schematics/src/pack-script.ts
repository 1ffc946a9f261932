import { join, relative } from 'node:path/posix';
import { adapters } from './adapters.ts';
import type { Manifest } from './manifest.ts';
import type { Project } from './project.ts';
import { outputPathOf } from './serve-command.ts';
import { browserFolderOf } from './server-text.ts';

/**
 * Runs after the script `build`, whose arguments go to `ng build` alone: behind `&&` they would reach this command,
 * and not the build.
 */
const SCRIPT = 'postbuild';
/** The command `ng build` with any options, alone in its script. */
const BUILDS = /^ng build(?: [^&|;]+)?$/;
/** A script that `ng add` has written, also for an output path of before. */
const PACKING = /^ng-ssr pack [^&|;]+$/;

/** The command that packs a project's build, or undefined for one whose browser files have no own folder. */
export function packCommand(project: Project, manifest: Manifest): string | undefined {
  const browser = browserFolderOf(project);
  if (browser === '') return undefined;
  const folder = relative(manifest.folder, join('/', outputPathOf(project)));
  const option = browser === undefined ? '' : ` --browser ${quoted(browser)}`;
  return `ng-ssr pack ${quoted(folder)}${option}`;
}

/**
 * Has each build of the script `build` packed, if that is `ng build` for this project.
 *
 * @returns Whether it was; undefined if it is packed already.
 */
export function addPackScript(
  manifest: Manifest,
  project: Project,
  command: string,
): boolean | undefined {
  const scripts = ['build', SCRIPT].map((name) => manifest.script(name) ?? '');
  if (scripts.some((script) => script.includes('ng-ssr pack'))) return undefined;
  if (!BUILDS.test(scripts[0]!) || project.isOneOfSeveral) return false;
  return manifest.setScript(SCRIPT, command, undefined) !== undefined;
}

/**
 * Takes the script away when no package that has its command is left.
 *
 * @returns The change as a phrase, or a line for a script that the user has to change; undefined for neither.
 */
export function removePackScript(
  manifest: Manifest,
): { readonly done: string } | { readonly left: string } | undefined {
  if (adapters.some(({ packageName }) => manifest.has(packageName))) return undefined;
  const name = [SCRIPT, 'build'].find((each) => manifest.script(each)?.includes('ng-ssr '));
  if (name === undefined) return undefined;
  if (name === SCRIPT && PACKING.test(manifest.script(name)!)) {
    manifest.removeScript(name);
    return { done: `removed the script ${name}` };
  }
  return { left: `  The script ${name} runs ng-ssr, which was removed: delete that command.` };
}

function quoted(word: string): string {
  return /^[\w./@-]+$/.test(word) ? word : `"${word}"`;
}
