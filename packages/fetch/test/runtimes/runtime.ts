import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';

/** A runtime other than the one that runs the tests. */
export interface Runtime {
  readonly command: readonly [string, ...string[]];
  /** Why it cannot run, with the command that provides it; undefined when it can. */
  readonly missing: string | undefined;
}

/** Bun, from npm. */
export const bun = find('bun', []);

/** Deno, from npm. */
export const deno = find('deno', ['run', '--allow-all', '--quiet', '--no-lock']);

/** @throws Error where it is missing and CI=true: there nothing may be skipped. */
function find(name: string, parameters: string[]): Runtime {
  const binary = fileURLToPath(new URL(`../../../../node_modules/.bin/${name}`, import.meta.url));
  const isThere = spawnSync(binary, ['--version']).status === 0;
  const missing = isThere ? undefined : `${name} cannot run: \`npm rebuild ${name}\` provides it`;
  if (missing !== undefined && process.env['CI'] === 'true') throw new Error(missing);
  return { command: [binary, ...parameters], missing };
}
