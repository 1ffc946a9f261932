import type { OwnFeature } from '../../path/own-feature.ts';
import { RequestLog } from './request-log.ts';
import type { RequestLogOptions } from './request-log-options.ts';

/** Logs requests, in batches. */
export function withRequestLog(options: Required<RequestLogOptions>): OwnFeature {
  return {
    name: 'request-log',
    install: ({ report }) => {
      const log = new RequestLog(options, report);
      return { log, close: () => log.flush() };
    },
  };
}
