import { type Spread, spreadOf } from '../measure/spread.ts';

let sink = 0;

function timeRound(call: () => unknown, calls: number): number {
  const start = process.hrtime.bigint();
  for (let i = 0; i < calls; i++) sink += call() === undefined ? 0 : 1;
  return Number(process.hrtime.bigint() - start) / calls;
}

/**
 * Nanoseconds per call. Every contender runs in each round, in turn, so that a noisy machine treats
 * them alike.
 */
export function timeCalls(
  contenders: Readonly<Record<string, () => unknown>>,
  { rounds = 15, roundMs = 4 } = {},
): Readonly<Record<string, Spread>> {
  const runs = Object.entries(contenders).map(([name, call]) => {
    timeRound(call, 200);
    const calls = Math.max(20, Math.ceil((roundMs * 1e6) / timeRound(call, 50)));
    return { name, call, calls, times: [] as number[] };
  });
  for (let round = 0; round < rounds; round++) {
    for (const { call, calls, times } of runs) times.push(timeRound(call, calls));
  }
  if (!Number.isFinite(sink)) throw new Error('nothing was measured');
  return Object.fromEntries(runs.map(({ name, times }) => [name, spreadOf(times)]));
}

/** The same for calls that are waited for, one after another. */
export async function timeAwaitedCalls(
  contenders: Readonly<Record<string, () => Promise<unknown>>>,
  { rounds = 15, calls = 2000 } = {},
): Promise<Readonly<Record<string, Spread>>> {
  const runs = Object.entries(contenders).map(([name, call]) => ({ name, call, times: [0] }));
  for (let round = 0; round <= rounds; round++) {
    for (const run of runs) {
      const start = process.hrtime.bigint();
      for (let i = 0; i < calls; i++) sink += (await run.call()) === undefined ? 0 : 1;
      // The first round warms up.
      if (round === 0) run.times.pop();
      else run.times.push(Number(process.hrtime.bigint() - start) / calls);
    }
  }
  return Object.fromEntries(runs.map(({ name, times }) => [name, spreadOf(times)]));
}
