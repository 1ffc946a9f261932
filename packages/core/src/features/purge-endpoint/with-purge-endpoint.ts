import type { OwnFeature } from '../../path/own-feature.ts';
import { PurgeEndpoint, type PurgeEndpointOptions } from './purge-endpoint.ts';

/** An endpoint for purges: POST with JSON, protected by a bearer token. */
export function withPurgeEndpoint(options: PurgeEndpointOptions): OwnFeature {
  return {
    name: 'purge-endpoint',
    install: (core) => (core.isBuilt ? { endpoints: [new PurgeEndpoint(options, core)] } : {}),
  };
}
