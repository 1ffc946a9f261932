import { SsrError } from '../errors.ts';
import type { Site } from './site.ts';

type RefusedSite = Extract<Site, { readonly verdict: 'not-allowed' }>;

/** Limits the reports: any client can request any host. */
const MOST_REPORTED = 20;
const UNTRUSTED =
  " If your proxy overwrites X-Forwarded-Host, set trustProxyHeaders: ['x-forwarded-host'].";

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

  #describe({ hostname, port }: RefusedSite, forwarded: string | undefined): string {
    if (port !== undefined) {
      return (
        `The port of the host ${hostname}:${port} is neither that of the server nor of a trusted proxy. If it is right, add ` +
        `${JSON.stringify(`${hostname}:${port}`)} to allowedHosts.`
      );
    }
    if (this.#isAsked) return `The function allowedHosts refused the host ${hostname}.`;
    return (
      `The host ${hostname} is not in allowedHosts: add it to the option, to NG_ALLOWED_HOSTS, or to ` +
      `security.allowedHosts in angular.json.${forwarded?.startsWith(hostname) === false ? UNTRUSTED : ''}`
    );
  }

  /** The ports of a host are one report: any client can request them all. Returns what to change. */
  report(site: RefusedSite, forwarded: string | undefined): string {
    const advice = this.#describe(site, forwarded);
    const { hostname, port } = site;
    const name = port === undefined ? hostname : `${hostname}:`;
    if (this.#reported.size >= MOST_REPORTED || this.#reported.has(name)) return advice;
    this.#reported.add(name);
    const isLast = this.#reported.size === MOST_REPORTED;
    const end = isLast ? `; after ${MOST_REPORTED} hosts, this is the last report.` : '.';
    const message = `${advice} Requests for it get 400. Each host is reported once${end}`;
    this.#onError(new SsrError('NG_SSR_HOST_NOT_ALLOWED', message));
    return advice;
  }
}
