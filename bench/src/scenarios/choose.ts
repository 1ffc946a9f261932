import { availableParallelism, loadavg } from 'node:os';
import type { Scenario } from './scenario.ts';

/** How long `--quick` may take, with all that it builds. */
export const QUICK_MS = 120_000;

/** Of it, for the charts and the report. */
const REPORT_MS = 8000;

/** The scenarios of a run, and the others. */
export interface Choice {
  readonly chosen: readonly Scenario[];
  readonly leftOut: readonly Scenario[];
}

/** The scenarios whose name matches; of all, `--quick` takes only those that have a quick form. */
export function chooseScenarios(
  scenarios: readonly Scenario[],
  { only, isQuick }: { readonly only: string | undefined; readonly isQuick: boolean },
): Choice {
  const pattern = new RegExp(only ?? '');
  const isShort = isQuick && only === undefined;
  const isChosen = ({ name, quick }: Scenario): boolean =>
    pattern.test(name) && (!isShort || quick !== undefined);
  return {
    chosen: scenarios.filter(isChosen),
    leftOut: scenarios.filter((scenario) => !isChosen(scenario)),
  };
}

/** Keeps a quick run within its time: on a busy machine, what does not fit is left out. */
export class QuickTime {
  readonly #startMs: number;
  readonly #now: () => number;
  readonly #load: () => number;
  /** That the scenarios so far would have taken on an idle machine. */
  #expectedMs = 0;
  #firstMs: number | undefined;

  /**
   * @param startMs - Of the run: making builds counts.
   * @param load - How many processes want each core.
   */
  constructor(
    startMs: number,
    now: () => number = () => performance.now(),
    load: () => number = () => loadavg()[0]! / availableParallelism(),
  ) {
    this.#startMs = startMs;
    this.#now = now;
    this.#load = load;
  }

  /** Whether a scenario would end in time, at the pace of those before. To be asked before each. */
  hasTimeFor({ quick }: Scenario): boolean {
    const nowMs = this.#now();
    this.#firstMs ??= nowMs;
    const soFar = this.#expectedMs === 0 ? 0 : (nowMs - this.#firstMs) / this.#expectedMs;
    const pace = Math.max(1, soFar, quick?.isCpuBound === true ? this.#load() : 0);
    const ms = (quick?.seconds ?? 0) * 1000;
    if (nowMs - this.#startMs + ms * pace + REPORT_MS > QUICK_MS) return false;
    this.#expectedMs += ms;
    return true;
  }
}

/** What a quick run says at its end of what it has not measured. */
export function describeLeftOut(
  { chosen, leftOut }: Choice,
  late: readonly Scenario[],
): readonly string[] {
  const names = (of: readonly Scenario[]): string => of.map(({ name }) => name).join(', ');
  const parts = chosen.flatMap((scenario) =>
    scenario.quick?.without === undefined || late.includes(scenario)
      ? []
      : [`  ${scenario.name}: ${scenario.quick.without}`],
  );
  return [
    `--quick has left out ${names(leftOut)}, and parts of others:`,
    ...parts,
    ...(late.length === 0 ? [] : [`There was no time for ${names(late)}.`]),
  ];
}
