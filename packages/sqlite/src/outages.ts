import { SsrError } from '@ng-ssr/core';
import type { Job, ThreadError } from './thread-program.ts';

type Reason = ThreadError['reason'];

/** So many failures in a row, each of which a busy machine may cause, are an outage. */
const FAILURES_OF_AN_OUTAGE = 5;

const OUTCOMES: Readonly<Record<Reason, string>> = {
  busy: 'does not respond: until it does, each process renders its own pages',
  full: 'is full: no more pages are shared until there is room',
  damaged: 'was damaged and is removed: a new file is created',
  foreign:
    'is not a file of this store: it is not changed, and each process renders its own pages. Choose another file',
  failed:
    'cannot be used: until it can, each process renders its own pages. Check that its folder exists and can be written',
};

/** Failures of one kind of jobs. */
interface Failures {
  inARow: number;
  readonly reported: Set<Reason>;
}

/** Reports each outage once. What can be read may still refuse to be written, so both are counted. */
export class Outages {
  readonly #file: string;
  readonly #onError: (error: SsrError) => void;
  readonly #reading: Failures = { inARow: 0, reported: new Set() };
  readonly #writing: Failures = { inARow: 0, reported: new Set() };

  constructor(file: string, onError: (error: SsrError) => void) {
    this.#file = file;
    this.#onError = onError;
  }

  succeeded({ kind }: Job): void {
    const failures = kind === 'read' ? this.#reading : this.#writing;
    failures.inARow = 0;
    failures.reported.clear();
  }

  /** @returns whether this is an outage: the next jobs of this kind would fail too. */
  failed({ kind }: Job, reason: Reason, cause: unknown): boolean {
    const failures = kind === 'read' ? this.#reading : this.#writing;
    const isOutage = reason !== 'busy' || ++failures.inARow >= FAILURES_OF_AN_OUTAGE;
    if (isOutage) this.#report(failures, reason, cause);
    return isOutage;
  }

  #report({ reported }: Failures, reason: Reason, cause: unknown): void {
    const isReported = [this.#reading, this.#writing].some((each) => each.reported.has(reason));
    reported.add(reason);
    if (isReported) return;
    const message = `the page store ${this.#file} ${OUTCOMES[reason]}`;
    this.#onError(new SsrError('NG_SSR_STORE_UNAVAILABLE', message, { cause }));
  }
}
