import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Row } from '../measure/row.ts';
import type { Results } from './results.ts';

/** A bound on rows, on their ratio to another, or on how much rows of a family differ. */
export interface Goal {
  readonly name: string;
  /** One line for each; or, with `flat`, all together. */
  readonly of: readonly string[];
  /** The row that is the measure; without it, the bound is in the rows' own unit. */
  readonly to?: string;
  /** The bound is on the rows' own ratio to the first row of their work, taken in each round. */
  readonly ratio?: boolean;
  /** The bound is on requests per second, in place of CPU time or a row's own value. */
  readonly requests?: boolean;
  /** The largest of all over the first: a curve that must stay flat. */
  readonly flat?: boolean;
  readonly atMost?: number;
  readonly atLeast?: number;
}

/** What became of one goal. */
export interface Outcome {
  readonly name: string;
  readonly measured: number | undefined;
  readonly bound: string;
  readonly verdict: 'met' | 'missed' | 'not measured';
}

/** Reads goals.json. */
export function readGoals(): readonly Goal[] {
  const file = join(import.meta.dirname, '../../goals.json');
  return JSON.parse(readFileSync(file, 'utf8')) as readonly Goal[];
}

function amount(row: Row | undefined, { requests }: Goal): number | undefined {
  if (requests === true) return row?.requestsPerSecond?.median;
  return row?.cpuUs?.median ?? row?.value?.median;
}

/** One outcome for each line of the goals. */
export function checkGoals(goals: readonly Goal[], { rows }: Results): readonly Outcome[] {
  const find = (id: string): Row | undefined => rows.find((row) => row.id === id);
  const ratioOf = (id: string): number | undefined => find(id)?.ratio?.median;
  return goals.flatMap((goal): Outcome[] => {
    const amountOf = (id: string): number | undefined => amount(find(id), goal);
    if (goal.flat === true) {
      const all = goal.of.map(amountOf).filter((value) => value !== undefined);
      const isWhole = all.length > 1;
      return [judge(goal, goal.name, isWhole ? Math.max(...all) / all[0]! : undefined)];
    }
    return goal.of.map((id) => {
      const over = goal.ratio === true ? ratioOf(id) : amountOf(id);
      const under = goal.to === undefined ? 1 : amountOf(goal.to);
      const measured = over === undefined || under === undefined ? undefined : over / under;
      const suffix = goal.of.length === 1 ? '' : `: ${id.split('/').at(-1)}`;
      return judge(goal, goal.name + suffix, measured);
    });
  });
}

function judge({ atMost, atLeast }: Goal, name: string, measured: number | undefined): Outcome {
  const bound = atMost === undefined ? `>= ${atLeast}` : `<= ${atMost}`;
  if (measured === undefined) return { name, measured, bound, verdict: 'not measured' };
  const isMet =
    atMost === undefined ? measured >= (atLeast ?? Number.POSITIVE_INFINITY) : measured <= atMost;
  return { name, measured, bound, verdict: isMet ? 'met' : 'missed' };
}
