import type { Results } from './results.ts';
import { show } from './table.ts';

/**
 * The main chart of a run for the project's README, with a sentence about it.
 *
 * @param folder - Of the charts, relative to README.md.
 */
export function toReadmeChart({ rows, machine }: Results, folder: string): string {
  const cpuOf = (server: string): string =>
    show(rows.find(({ id }) => id === `browser/page/${server}`)?.cpuUs?.median);
  return [
    `![Server CPU per hit](${folder}/browser-page.svg)`,
    '',
    `A prerendered page of 90 KB, as Chromium asks for it, takes ${cpuOf('ng-ssr node, no middleware')} µs of server CPU with`,
    `ng-ssr on node:http, ${cpuOf('ng-ssr express')} on Express behind middleware, ${cpuOf('Angular scaffold')} with Angular's scaffold,`,
    `${cpuOf('Angular scaffold + compression')} with \`compression\` in front of it (${machine.cpu}, ${machine.cores} cores).`,
    '[Benchmarks](docs/benchmarks.md) has the tables, the renders, and how to run them.',
  ].join('\n');
}
