/**
 * `npm run simulate`: a fleet of servers over the real code of the core, with a clock and a network that are simulated.
 *
 *   --machines 20 --pages 10000000   the scenario: each member of scenario.ts, in words with hyphens
 *   --json <file>                    writes the figures into this file; - for stdout in place of the table
 *
 * Two runs with the same options print the same. Time and memory of the run itself go to stderr.
 */
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Fleet } from './fleet.ts';
import { formatPhases } from './report.ts';
import { checkScenario, DEFAULTS, type Scenario } from './scenario.ts';

const names = new Map(Object.keys(DEFAULTS).map((name) => [toWords(name), name]));
const { values } = parseArgs({
  options: {
    ...Object.fromEntries([...names.keys()].map((name) => [name, { type: 'string' as const }])),
    json: { type: 'string' },
  },
});
const scenario = { ...DEFAULTS, ...givenScenario(values) };
checkScenario(scenario);
const figures = await new Fleet(scenario).run(({ phase, seconds, requestsPerSecond }) => {
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
  const cpuSeconds = (process.cpuUsage().user + process.cpuUsage().system) / 1e6;
  console.error(
    `${phase}: ${Math.round(seconds * requestsPerSecond)} requests; ${cpuSeconds.toFixed(1)} s of CPU so far, ${megabytes} MB`,
  );
});
const json = `${JSON.stringify({ scenario, phases: figures }, undefined, 2)}\n`;
if (values.json === '-') process.stdout.write(json);
else {
  console.log(`seed ${scenario.seed}\n\n${formatPhases(figures)}`);
  if (typeof values.json === 'string') writeFileSync(values.json, json);
}
if (figures.some(({ wrong }) => wrong > 0)) {
  console.error('A machine has answered with a page that was purged: see the column "wrong".');
  process.exitCode = 1;
}

function givenScenario(given: Readonly<Record<string, unknown>>): Partial<Scenario> {
  const found: Record<string, unknown> = {};
  for (const [words, name] of names) {
    const value = given[words];
    if (typeof value === 'string') found[name] = name === 'phases' ? value : Number(value);
  }
  return found as Partial<Scenario>;
}

function toWords(name: string): string {
  return name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}
