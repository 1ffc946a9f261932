import type { Row } from '../measure/row.ts';
import type { Session } from '../measure/session.ts';

/** What `--quick` does of a scenario. */
export interface QuickForm {
  /** How long it takes on two cores that do nothing else. */
  readonly seconds: number;
  /** Whether it keeps a core busy all the time. Then it takes several times as long on a busy machine. */
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
