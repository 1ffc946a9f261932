import { fileURLToPath } from 'node:url';
import type { Entry } from './entry.ts';

/**
 * The program of a thread: it makes `cluster.fork` throw and imports the entry. In a thread of a
 * forked process `cluster.isPrimary` is true, so a program that forks there would fork without end. It may do
 * so before it loads this package, and a bundle has no separate file for threads: hence a `data:` URL.
 *
 * @param argv - The program's own arguments; `process.argv` is as on the main thread.
 * @param noFork - The message of the error.
 */
export function toThreadProgram({ url }: Entry, argv: readonly string[], noFork: string): URL {
  const lines = [
    "import cluster from 'node:cluster';",
    "import { syncBuiltinESMExports } from 'node:module';",
    'cluster.fork = function fork() {',
    `  const error = new Error(${JSON.stringify(noFork)});`,
    '  Error.captureStackTrace(error, fork);',
    '  throw error;',
    '};',
    'syncBuiltinESMExports();',
    `process.argv.splice(1, Infinity, ...${JSON.stringify([fileURLToPath(url), ...argv])});`,
    `await import(${JSON.stringify(url.href)});`,
  ];
  return new URL(`data:text/javascript,${encodeURIComponent(lines.join('\n'))}`);
}
