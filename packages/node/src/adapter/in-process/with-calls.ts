import { type CallRules, type CallsOptions, type Feature, withCalls as calls } from '@ng-ssr/core';
import { toCallingFeature } from './calling-feature.ts';

/**
 * Sets rules for API calls that pages make with `HttpClient` or `fetch` during a render: in-process calls, timeouts,
 * retries, caching. `fetch` also accepts relative URLs. Calls outside renders do not change.
 *
 * @example
 * ```ts
 * features: [withCalls({ '/api/**': { inProcess: true, cache: 'shared' } })]
 * ```
 */
export function withCalls(rules: CallRules, options?: CallsOptions): Feature {
  return toCallingFeature(calls(rules, options));
}
