import { ourServers, scaffold } from '../contestants/catalogue.ts';
import { loadMixed } from '../measure/mixed-load.ts';
import { readProcessCost } from '../measure/process-cost.ts';
import type { Row } from '../measure/row.ts';
import { spreadOf } from '../measure/spread.ts';
import { UNSTORED } from './built-files.ts';
import type { Scenario } from './scenario.ts';

/** Nine hits to one render on twenty connections: how long hits wait behind renders. */
export const mixedScenario: Scenario = {
  name: 'mixed',
  title: '90 % hits and 10 % renders on 20 connections, with the p99 of the hits',
  async run(session) {
    const { rounds, seconds } = session.effort;
    const contestants = [...ourServers(), scaffold].filter(
      ({ env }) => env?.['HITS'] !== 'before-middleware',
    );
    const rows: Row[] = [];
    try {
      for (const contestant of contestants) {
        session.say(`mixed: ${contestant.name}`);
        const row = { scenario: 'mixed', server: contestant.name };
        try {
          const server = await session.server(contestant);
          const load = { hit: '/', render: UNSTORED };
          await loadMixed(server.origin, { ...load, seconds: Math.min(2, seconds * 2) });
          const rates: number[] = [];
          const costs: number[] = [];
          const hits = { p50: [] as number[], p99: [] as number[] };
          const renders = { p50: [] as number[], p99: [] as number[] };
          for (let round = 0; round < rounds; round++) {
            const before = readProcessCost(server.pid).cpuMicroseconds;
            const times = await loadMixed(server.origin, { ...load, seconds });
            const count = times.hits.length + times.renders.length;
            costs.push((readProcessCost(server.pid).cpuMicroseconds - before) / count);
            rates.push(count / seconds);
            for (const [kind, of] of [
              [hits, times.hits],
              [renders, times.renders],
            ] as const) {
              kind.p50.push(percentile(of, 0.5));
              kind.p99.push(percentile(of, 0.99));
            }
          }
          const whole = {
            cpuUs: spreadOf(costs),
            requestsPerSecond: spreadOf(rates),
            peakRssBytes: readProcessCost(server.pid).peakBytes,
          };
          for (const [work, { p50, p99 }] of Object.entries({ hits, renders })) {
            rows.push({
              ...row,
              id: `mixed/${work}/${contestant.name}`,
              work,
              ...whole,
              p50Ms: spreadOf(p50),
              p99Ms: spreadOf(p99),
            });
          }
        } catch (error) {
          const voidBecause = (error as Error).message;
          rows.push({ ...row, id: `mixed/hits/${contestant.name}`, work: 'hits', voidBecause });
        }
      }
      return rows;
    } finally {
      await session.stopServers();
    }
  },
};

function percentile(times: number[], share: number): number {
  times.sort((a, b) => a - b);
  return times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
}
