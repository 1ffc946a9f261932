import {
  type Feature,
  type SlotOptions,
  type SlotsOptions,
  withSlots as slots,
} from '@ng-ssr/core';
import { toCallingFeature } from './calling-feature.ts';

/**
 * Adds data of one client to pages that are the same for all: the cached page is sent at once, and the data follows at
 * the end of the same response, or is fetched from `endpoint`. Components read it with `slot()` of `@ng-ssr/angular`.
 *
 * @example
 * ```ts
 * features: [withSlots({ cart: { fill: async (request) => cartOf(request) } })]
 * ```
 */
export function withSlots<Data extends Readonly<Record<string, unknown>>>(
  given: { readonly [Name in keyof Data]: SlotOptions<Data[Name]> },
  options?: SlotsOptions,
): Feature {
  return toCallingFeature(slots(given, options));
}
