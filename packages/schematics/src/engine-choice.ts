import type { Project } from './project.ts';
import type { ServerFile } from './server-file.ts';

/** The values of `--engine`. */
export type EngineName = 'app' | 'common';

/** The engine that a server.ts uses. */
export function engineIn(text: string): EngineName | undefined {
  if (/\bcommonEngine\(|\bCommonEngine\b/.test(text)) return 'common';
  if (/\bappEngine\(|\bAngular(Node)?AppEngine\b/.test(text)) return 'app';
  return undefined;
}

/**
 * The engine that the application is on: what its server.ts uses, else what its build is for.
 * Where there is no SSR yet it is the app engine, as in a new application.
 */
export function detectEngine({ build }: Project, { text }: Pick<ServerFile, 'text'>): EngineName {
  const isCommonBuild = build['server'] !== undefined && build['outputMode'] === undefined;
  return engineIn(text) ?? (isCommonBuild ? 'common' : 'app');
}
