import { isFieldName } from '../../http/field-syntax.ts';
import { callable } from '../../options/option-values.ts';
import { eachOf, group, type Option, withDefault } from '../../options/option.ts';
import type { RequestEvent } from '../../telemetry/channels.ts';

/** An answered request, for one line of a log. */
export interface RequestLogEntry extends RequestEvent {
  /** The request fields that `requestLog.fields` names, by these names; absent ones are left out. */
  readonly fields: Readonly<Record<string, string>>;
}

/**
 * Logs the requests that are answered here, refusals and failures included, but neither probes nor the
 * requests that your own routes answer: your framework's logger logs those.
 *
 * @example
 * ```ts
 * withRequestLog({ write: (requests) => requests.forEach((request) => log.info(request)) })
 * ```
 */
export interface RequestLogOptions {
  /**
   * Called with the requests since the last call, oldest first: within a tenth of a second, when the server
   * closes, which awaits a promise, and before the process exits. A failure is passed to `onError`, as
   * `NG_SSR_LOG_FAILED`.
   */
  readonly write: (requests: readonly RequestLogEntry[]) => void | Promise<void>;
  /** Names of request fields to keep: `['user-agent', 'referer']`. Default: none. */
  readonly fields?: readonly string[] | undefined;
}

/** What `withRequestLog` takes. */
export const requestLog: Option<Required<RequestLogOptions>> = group(
  {
    write: callable<RequestLogOptions['write']>('a function (requests) => void'),
    fields: withDefault(
      eachOf<string>(
        (name) => typeof name === 'string' && isFieldName(name),
        'a list of names of request fields',
      ),
      [],
    ),
  },
  'an object with a function write',
);
