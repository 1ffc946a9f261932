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
  /** The commands for builds of other engines. */
  readonly superseded: readonly string[];
}

/** The script for a project's builds. */
export function serveCommand(
  project: Project,
  manifest: Manifest,
  engine: EngineName,
): ServeCommand {
  const commandFor = (one: EngineName): string =>
    `node ${relative(manifest.folder, join('/', builtServer(project, one)))}`;
  return {
    script: `serve:ssr:${project.name}`,
    command: commandFor(engine),
    superseded: (['app', 'common'] as const).map(commandFor),
  };
}
