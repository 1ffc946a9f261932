import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';

/**
 * Reports how long a response waited for its render, and for the API calls of its page, in Server-Timing. Every client can
 * read it.
 *
 * @see https://www.w3.org/TR/server-timing/
 */
export function withServerTiming(): Feature {
  return own({
    name: 'server-timing',
    install: (): OwnExtension => ({
      timePage: (answer, { waitMs, calls }) => {
        const entries = [
          ...(calls ? [`calls;dur=${calls.durationMs.toFixed(1)};desc="${calls.count}"`] : []),
          ...(waitMs === undefined ? [] : [`ng-ssr;dur=${waitMs.toFixed(1)}`]),
        ];
        const headers = entries.flatMap((entry) => ['Server-Timing', entry]);
        return { ...answer, headers: [...answer.headers, ...headers] };
      },
    }),
  });
}
