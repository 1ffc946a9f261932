import { SsrError } from '../errors.ts';

/** Limits the reports: any client can request any host. */
const MOST_REPORTED = 20;

/** Names the options to set, for developers and in reports. */
export function describeRefusal(hostname: string): string {
  return (
    `The host ${hostname} is not in allowedHosts: add it to the option, to NG_ALLOWED_HOSTS, or to ` +
    'security.allowedHosts in angular.json.'
  );
}

/** Reports each refused host once. */
export class RefusedHosts {
  readonly #reported = new Set<string>();
  readonly #onError: (error: SsrError) => void;

  constructor(onError: (error: SsrError) => void) {
    this.#onError = onError;
  }

  report(hostname: string): void {
    if (this.#reported.size >= MOST_REPORTED || this.#reported.has(hostname)) return;
    this.#reported.add(hostname);
    const isLast = this.#reported.size === MOST_REPORTED;
    const message =
      `${describeRefusal(hostname)} Requests for it are answered with 400. Each host is reported once` +
      (isLast ? `; after ${MOST_REPORTED} hosts, this is the last report.` : '.');
    this.#onError(new SsrError('NG_SSR_HOST_NOT_ALLOWED', message));
  }
}
