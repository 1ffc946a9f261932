import type { EngineName } from './engine-name.ts';
import type { Project } from './project.ts';

/** The engine that a server.ts uses. */
export function engineIn(text: string): EngineName | undefined {
  if (/\bcommonEngine\(|\bCommonEngine\b/.test(text)) return 'common';
  if (/\bappEngine\(|\bAngular(Node)?AppEngine\b/.test(text)) return 'app';
  return undefined;
}

/**
 * The application's engine: the one that its server.ts uses, else the one that its build is for.
 * Without SSR it is the app engine, as in a new application.
 */
export function detectEngine({ build }: Project, { text }: { readonly text: string }): EngineName {
  const isCommonBuild = build['server'] !== undefined && build['outputMode'] === undefined;
  return engineIn(text) ?? (isCommonBuild ? 'common' : 'app');
}
