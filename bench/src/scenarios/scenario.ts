import type { Row } from '../measure/row.ts';
import type { Session } from '../measure/session.ts';

/** One question of the benchmark. */
export interface Scenario {
  readonly name: string;
  /** What it answers, in one line. */
  readonly title: string;
  /** Whether `--quick` answers it too. */
  readonly inQuick: boolean;
  run(session: Session): Promise<readonly Row[]>;
}
