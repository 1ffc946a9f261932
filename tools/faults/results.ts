import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import type { Result } from './try-fault.ts';

/** Results of a run, by the names of the faults. */
export function readResults(file: string | undefined): Map<string, Result> {
  if (file === undefined || !existsSync(file)) return new Map();
  const results = JSON.parse(readFileSync(file, 'utf8')) as Result[];
  return new Map(results.map((result) => [result.name, result]));
}

export function writeResults(file: string | undefined, results: Iterable<Result>): void {
  if (file !== undefined) writeFileSync(file, `${JSON.stringify([...results], null, 2)}\n`);
}

/** Writes which spec has detected each fault; of several results for one fault, the last that names a spec. */
export function writeSpecs(file: string, results: readonly Result[]): void {
  const specs = new Map(
    results.flatMap(({ name, outcome, spec }) =>
      spec === undefined || outcome === 'unsteady' ? [] : [[name, spec] as const],
    ),
  );
  const sorted = [...specs].toSorted(([one], [other]) => (one < other ? -1 : 1));
  writeFileSync(
    file,
    `${JSON.stringify(
      sorted.map(([name, spec]) => ({ name, spec })),
      null,
      2,
    )}\n`,
  );
}

/** One line for each fault, and the counts. */
export function toTable(results: readonly Result[]): string {
  const width = Math.max(...results.map(({ name }) => name.length));
  const lines = results.map(
    (result) =>
      `${result.outcome.padEnd(8)} ${result.name.padEnd(width)} ${result.seconds.toFixed(1).padStart(6)} s  ${whereIn(result)}`,
  );
  const outcomes = [...new Set(results.map(({ outcome }) => outcome))];
  const total = outcomes
    .map((each) => `${results.filter(({ outcome }) => outcome === each).length} ${each}`)
    .join(', ');
  return `${lines.join('\n')}\n\n${results.length} ${results.length === 1 ? 'fault' : 'faults'}: ${total}`;
}

/** The test that has failed, or why there is none. */
export function whereIn({ spec, test, reason }: Result): string {
  return [spec, test, reason].filter((part) => part !== undefined).join(' > ');
}
