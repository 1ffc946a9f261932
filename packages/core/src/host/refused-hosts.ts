import { SsrError } from '../errors.ts';

/** Limits the reports: any client can request any host. */
const MOST_REPORTED = 20;

/** Reports each refused host once. */
export class RefusedHosts {
  readonly #reported = new Set<string>();
  readonly #isAsked: boolean;
  readonly #onError: (error: SsrError) => void;

  /** @param isAsked - Whether `allowedHosts` is a function. */
  constructor(isAsked: boolean, onError: (error: SsrError) => void) {
    this.#isAsked = isAsked;
    this.#onError = onError;
  }

  /** Says what to change, for developers and in reports. */
  describe(hostname: string): string {
    if (this.#isAsked) return `The function allowedHosts has refused the host ${hostname}.`;
    return (
      `The host ${hostname} is not in allowedHosts: add it to the option, to NG_ALLOWED_HOSTS, or to ` +
      'security.allowedHosts in angular.json.'
    );
  }

  report(hostname: string): void {
    if (this.#reported.size >= MOST_REPORTED || this.#reported.has(hostname)) return;
    this.#reported.add(hostname);
    const isLast = this.#reported.size === MOST_REPORTED;
    const message =
      `${this.describe(hostname)} Requests for it are answered with 400. Each host is reported once` +
      (isLast ? `; after ${MOST_REPORTED} hosts, this is the last report.` : '.');
    this.#onError(new SsrError('NG_SSR_HOST_NOT_ALLOWED', message));
  }
}
