/** How much a finding matters: an error breaks pages or opens the server, a warning will cost, a note may help. */
export type Severity = 'error' | 'warning' | 'note';

/** What a check has found. */
export interface Finding {
  /** Stable, in kebab case; its section in docs/doctor.md has the same name. */
  readonly id: string;
  readonly severity: Severity;
  /** What was found, with the names and values at hand. */
  readonly found: string;
  /** What it causes. */
  readonly why: string;
  /** How to fix it, in one line that can be copied. */
  readonly fix: string;
}
