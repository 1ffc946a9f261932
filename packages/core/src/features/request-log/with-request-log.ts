import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import { RequestLog } from './request-log.ts';
import { requestLog, type RequestLogOptions } from './request-log-options.ts';

/**
 * Passes the requests that ng-ssr handles to a function, in batches. Requests of your own routes and probes are not
 * included: your framework's logger logs them.
 *
 * @example
 * ```ts
 * features: [withRequestLog({ write: (requests) => requests.forEach((request) => log.info(request)) })]
 * ```
 */
export function withRequestLog(options: RequestLogOptions): Feature {
  return own({
    name: 'request-log',
    isForClients: true,
    isForNode: true,
    install: ({ report }): OwnExtension => {
      const log = new RequestLog(requestLog('withRequestLog', options), report);
      return { log, close: () => log.flush() };
    },
  });
}
