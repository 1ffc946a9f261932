import type { Contestant } from './contestant.ts';
import type { Row } from './row.ts';
import type { Session } from './session.ts';
import { spreadOf } from './spread.ts';

/** What one start took, in milliseconds, by what was measured. */
export type Start = Readonly<Record<string, number>>;

/**
 * Starts several servers in rounds, each once in a round, in random order.
 *
 * @param startOnce - Starts one server, measures and ends it. The first round fills caches and does not count.
 * @returns a row for each server and figure.
 */
export async function measureStarts(
  session: Session,
  { scenario, note }: { readonly scenario: string; readonly note: string },
  contestants: readonly Contestant[],
  startOnce: (contestant: Contestant) => Promise<Start>,
): Promise<Row[]> {
  const { rounds } = session.effort;
  const all = contestants.map((contestant) => ({ contestant, starts: [] as Start[] }));
  for (let round = 0; round <= rounds; round++) {
    for (const { contestant, starts } of all.toSorted(() => Math.random() - 0.5)) {
      session.say(`start ${round}/${rounds}: ${contestant.name}`);
      const start = await startOnce(contestant);
      if (round > 0) starts.push(start);
    }
  }
  return all.flatMap(({ contestant: { name: server }, starts }) =>
    Object.keys(starts[0] ?? {}).map((work) => ({
      id: `${scenario}/${work}/${server}`,
      ...{ scenario, work, server, unit: 'ms', note },
      value: spreadOf(starts.map((start) => start[work]!)),
    })),
  );
}
