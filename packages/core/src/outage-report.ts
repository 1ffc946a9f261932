import type { SsrError } from './errors.ts';

/** Reports the first of a row of errors: a store that does not answer is one problem, not one for each request. */
export class OutageReport {
  readonly #report: (error: SsrError) => void;
  #isOut = false;

  constructor(report: (error: SsrError) => void) {
    this.#report = report;
  }

  fail(error: SsrError): void {
    if (!this.#isOut) this.#report(error);
    this.#isOut = true;
  }

  succeed(): void {
    this.#isOut = false;
  }
}
