import { describeBriefly } from '../../describe-error.ts';
import { SsrError } from '../../errors.ts';

/** So many slow failures in a row, and the fill is not called for some time. */
const FAILURES_OF_AN_OUTAGE = 5;
const AWAY_MS = 5000;
/** An outage is reported again after this time, and has ended after this time without a failure. */
const COUNTED_MS = 60_000;
const ENDED_MS = 10_000;
/** Causes that are reported in one outage. */
const MOST_CAUSES = 5;

/** Why a slot was not filled. */
export interface SlotFailure {
  /** The path of the page. */
  readonly path: string;
  /** What happens to the slot, as in `keeps its fallback`. */
  readonly outcome: string;
  readonly reason: string;
  readonly cause: unknown;
  /** Whether it took so long that it delayed its client. */
  readonly isSlow: boolean;
}

/**
 * The failures of one slot. Each cause is reported once in an outage. Five slow failures in a row pause `fill` for five
 * seconds; then one request tries. Fast failures delay no response, and may have to do with one client only.
 */
export class SlotOutage {
  readonly #name: string;
  readonly #report: (error: SsrError) => void;
  readonly #now: () => number;
  readonly #causes = new Set<string>();
  #slowInARow = 0;
  #awayUntilMs = 0;
  #sinceMs = 0;
  #lastMs = 0;
  #reportedMs = 0;
  #unreported = 0;

  /** @param now - Milliseconds of a clock that does not go back. */
  constructor(
    name: string,
    report: (error: SsrError) => void,
    now: () => number = () => performance.now(),
  ) {
    this.#name = name;
    this.#report = report;
    this.#now = now;
  }

  /** Whether `fill` is to be called. After the time of an outage it is called once, until that call has ended. */
  mayCall(): boolean {
    if (this.#slowInARow < FAILURES_OF_AN_OUTAGE) return true;
    const now = this.#now();
    if (now < this.#awayUntilMs) return false;
    this.#awayUntilMs = now + AWAY_MS;
    return true;
  }

  succeed(): void {
    this.#slowInARow = 0;
    if (this.#causes.size === 0 || this.#now() - this.#lastMs < ENDED_MS) return;
    if (this.#unreported > 0)
      this.#tell(`the slot ${this.#name} is filled again: ${this.#count()}`);
    this.#causes.clear();
    this.#unreported = 0;
  }

  /** A slot that was left out counts as a failure of the outage. */
  skip(): void {
    this.#unreported++;
    this.#lastMs = this.#now();
  }

  fail({ path, outcome, reason, cause, isSlow }: SlotFailure): void {
    const now = this.#now();
    this.#slowInARow = isSlow ? this.#slowInARow + 1 : 0;
    if (this.#slowInARow >= FAILURES_OF_AN_OUTAGE) this.#awayUntilMs = now + AWAY_MS;
    if (this.#causes.size === 0) this.#sinceMs = this.#reportedMs = now;
    this.#lastMs = now;
    const told = `${reason} ${describeBriefly(cause)}`;
    const isNew = !this.#causes.has(told) && this.#causes.size < MOST_CAUSES;
    if (isNew) this.#causes.add(told);
    else this.#unreported++;
    const isDue = now - this.#reportedMs >= COUNTED_MS;
    if (!isNew && !isDue) return;
    if (isDue) this.#reportedMs = now;
    const counted = this.#unreported > 0 && isDue ? `; ${this.#count()}` : '';
    this.#tell(`the slot ${this.#name} of ${path} ${outcome}: ${reason}${counted}`, cause);
  }

  #count(): string {
    const seconds = Math.round((this.#lastMs - this.#sinceMs) / 1000);
    return `${this.#unreported} more pages kept its fallback in ${seconds} s`;
  }

  #tell(message: string, cause?: unknown): void {
    const options = cause === undefined ? undefined : { cause };
    this.#report(new SsrError('NG_SSR_SLOT_FAILED', message, options));
  }
}
