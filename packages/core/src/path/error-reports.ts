import type { SsrError, SsrErrorCode } from '../errors.ts';
import { isPromise } from '../platform/is-promise.ts';
import { channelOf } from '../telemetry/channels.ts';

/** What a server reports of itself, and of no request that failed: operators see these in the inspector. */
const NOTICES: ReadonlySet<SsrErrorCode> = new Set<SsrErrorCode>([
  'NG_SSR_FAST_LEFT',
  'NG_SSR_ANGULAR_CHANGED',
  'NG_SSR_CALL_NOTICE',
  'NG_SSR_PAGE_NOT_CACHED',
]);
const notices = channelOf('ng-ssr:notice');

/** The errors of a server, on their way to `onError`. */
export class ErrorReports {
  readonly #own: (error: SsrError) => void;
  readonly #listeners: ((error: SsrError) => void)[] = [];
  readonly #reported = new WeakSet<SsrError>();

  /** @param own - The option `onError`. */
  constructor(own: (error: SsrError) => void) {
    this.#own = own;
  }

  /** Has each error reach something else, before `onError`. */
  observe(listener: (error: SsrError) => void): void {
    this.#listeners.push(listener);
  }

  /** Reports an error each time. */
  readonly onError = (error: SsrError): void => {
    for (const listener of this.#listeners) {
      try {
        const returned: unknown = listener(error);
        // A rejection that nothing handles would end the process.
        if (isPromise(returned)) returned.then(undefined, printed);
      } catch (cause) {
        printed(cause);
      }
    }
    this.#own(error);
  };

  /** Reports an error once: the requests that wait for one render fail with one error. */
  readonly report = (error: SsrError): void => {
    if (this.#reported.has(error)) return;
    this.#reported.add(error);
    const { code, message } = error;
    if (notices.hasSubscribers && NOTICES.has(code)) notices.publish({ code, message });
    this.onError(error);
  };
}

function printed(cause: unknown): void {
  console.error('ng-ssr: noteError of a feature threw', cause);
}
