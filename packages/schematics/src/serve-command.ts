import { isJsonObject } from '@angular-devkit/core';
import { join, relative } from 'node:path/posix';
import type { EngineName } from './engine-name.ts';
import type { Manifest } from './manifest.ts';
import type { Project } from './project.ts';

/** The built server of a project, from the workspace's root. */
export function builtServer(project: Project, engine: EngineName): string {
  const { locales } = project;
  // CommonEngine builds have a server per locale, the app engine's one for all.
  const locale = engine === 'common' ? (locales[0]?.folder ?? '') : '';
  const { server = 'server' } = foldersOf(project);
  return join(outputPathOf(project), String(server), locale, 'server.mjs');
}

/** The folder of a project's build, from the workspace's root. */
export function outputPathOf(project: Project): string {
  const { base = `dist/${project.name}` } = foldersOf(project);
  return String(base);
}

function foldersOf({ build: { outputPath } }: Project): { base?: unknown; server?: unknown } {
  return outputPath !== undefined && isJsonObject(outputPath) ? outputPath : { base: outputPath };
}

/** The script that starts the built server, under the name that `ng add @angular/ssr` uses. */
export interface ServeCommand {
  readonly script: string;
  readonly command: string;
  /** Commands of earlier servers: of another engine, or with the file names of Angular Universal. */
  readonly superseded: RegExp;
}

/** The name of the script without a project, which Angular Universal wrote. */
const SHORT = 'serve:ssr';
/** A command that starts a built server, and does nothing else. */
const STARTS = /^node \S+\/(?:main|server)\.m?js$/;

/** The script for a project's builds. */
export function serveCommand(
  project: Project,
  manifest: Manifest,
  engine: EngineName,
): ServeCommand {
  const own = `serve:ssr:${project.name}`;
  const isShort = !project.isOneOfSeveral && manifest.script(own) === undefined;
  return {
    script: isShort && STARTS.test(manifest.script(SHORT) ?? '') ? SHORT : own,
    command: `node ${relative(manifest.folder, join('/', builtServer(project, engine)))}`,
    superseded: STARTS,
  };
}
