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
