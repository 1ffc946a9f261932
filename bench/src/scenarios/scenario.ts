import type { Row } from '../measure/row.ts';
import type { Session } from '../measure/session.ts';

/** What `--quick` does of a scenario. */
export interface QuickForm {
  /** How long it takes on two cores that do nothing else. */
  readonly seconds: number;
  /** Whether it computes all the time: with other work beside it, it takes a multiple. Loads wait for most of theirs. */
  readonly isCpuBound?: boolean;
  /** The part that only a whole run has. */
  readonly without?: string;
}

/** One question of the benchmark. */
export interface Scenario {
  readonly name: string;
  /** What it answers, in one line. */
  readonly title: string;
  /** Without it, `--quick` leaves the scenario out. */
  readonly quick?: QuickForm;
  run(session: Session): Promise<readonly Row[]>;
}
