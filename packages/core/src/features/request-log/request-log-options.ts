import { isHeaderName } from '../../http/header-syntax.ts';
import { callable } from '../../options/option-values.ts';
import { eachOf, group, type Option, withDefault } from '../../options/option.ts';
import type { RequestEvent } from '../../telemetry/channels.ts';

/** One request in the log. */
export interface RequestLogEntry extends RequestEvent {
  /** The request headers that `withRequestLog.headers` names. Missing headers are left out. */
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * Options of `withRequestLog()`.
 *
 * @example
 * ```ts
 * withRequestLog({ write: (requests) => requests.forEach((request) => log.info(request)) })
 * ```
 */
export interface RequestLogOptions {
  /**
   * Gets new requests every tenth of a second and at shutdown, oldest first. If it fails, `onError` gets
   * `NG_SSR_LOG_FAILED`.
   */
  readonly write: (requests: readonly RequestLogEntry[]) => void | Promise<void>;
  /** Request headers to log, such as `['user-agent']`. Default: none. */
  readonly headers?: readonly string[] | undefined;
}

/** What `withRequestLog` takes. */
export const requestLog: Option<Required<RequestLogOptions>> = group(
  {
    write: callable<RequestLogOptions['write']>('a function (requests) => void'),
    headers: withDefault(
      eachOf<string>(
        (name) => typeof name === 'string' && isHeaderName(name),
        'a list of names of request headers',
      ),
      [],
    ),
  },
  'an object with a function write',
);
