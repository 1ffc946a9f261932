import { isJsonObject } from '@angular-devkit/core';
import { join, relative } from 'node:path/posix';
import type { EngineName } from './engine-choice.ts';
import type { Manifest } from './manifest.ts';
import type { Project } from './project.ts';

/** The built server of a project, from the workspace's root. */
export function builtServer({ name, build, locales }: Project, engine: EngineName): string {
  const { outputPath } = build;
  const folders: { base?: unknown; server?: unknown } =
    outputPath !== undefined && isJsonObject(outputPath) ? outputPath : { base: outputPath };
  // CommonEngine builds have a server per locale, the app engine's one for all.
  const locale = engine === 'common' ? (locales[0] ?? '') : '';
  const { base = `dist/${name}`, server = 'server' } = folders;
  return join(String(base), String(server), locale, 'server.mjs');
}

/** The script that starts the built server, as `ng add @angular/ssr` calls it. */
export function serveCommand(
  project: Project,
  manifest: Manifest,
  engine: EngineName,
): { script: string; command: string } {
  const server = relative(manifest.folder, join('/', builtServer(project, engine)));
  return { script: `serve:ssr:${project.name}`, command: `node ${server}` };
}
