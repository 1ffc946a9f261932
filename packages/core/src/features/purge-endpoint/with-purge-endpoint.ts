import { describeEndpoint } from '../../path/token-endpoint.ts';
import type { Feature } from '../../path/feature.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import { PurgeEndpoint } from './purge-endpoint.ts';
import { type PurgeEndpointOptions, resolvePurgeEndpoint } from './purge-endpoint-options.ts';

/**
 * Adds an HTTP endpoint for purges: POST with JSON `{ path | prefix | tag, hard? }` and a bearer token. It is off under
 * `ng serve`, where nothing is cached.
 *
 * @example
 * ```ts
 * features: [withPurgeEndpoint()]
 * ```
 */
export function withPurgeEndpoint(options: PurgeEndpointOptions = {}): Feature {
  return own({
    name: 'purge-endpoint',
    isForClients: true,
    install: (core): OwnExtension => {
      const resolved = resolvePurgeEndpoint(options, core.isBuilt);
      if (resolved === undefined || !core.isBuilt) return {};
      return {
        endpoints: [new PurgeEndpoint(resolved, core)],
        describe: () => ({ endpoints: [describeEndpoint('withPurgeEndpoint', resolved)] }),
      };
    },
  });
}
