import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import { own } from '../../path/own.ts';
import type { OwnExtension } from '../../path/own-feature.ts';
import type { FeatureDescription } from '../../telemetry/server-description.ts';
import { resolveSlotsOptions, type SlotsOptions } from './endpoint-options.ts';
import { resolveSlots, type Slot, type SlotOptions } from './slot-options.ts';
import { Slots } from './slots.ts';
import { SlotsElsewhere } from './slots-elsewhere.ts';

/** How slots are set up, for `ng-ssr doctor`. */
export interface SlotsSettings {
  readonly slots: readonly {
    readonly name: string;
    readonly routes: readonly string[];
    readonly timeoutMs: number;
  }[];
  /** The path from which browsers fetch them; undefined if they follow their pages. */
  readonly endpoint: string | undefined;
}

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
  slots: { readonly [Name in keyof Data]: SlotOptions<Data[Name]> },
  options?: SlotsOptions,
): Feature {
  // Each function gets what the one beside it returned.
  const given = slots as Readonly<Record<string, SlotOptions>>;
  if (options?.endpoint !== undefined) return withEndpoint(given, options);
  return own({
    name: 'slots',
    isForClients: true,
    install: (core): OwnExtension => {
      resolveSlotsOptions(options);
      const resolved = resolveSlots(given);
      const completion = new Slots(resolved, core);
      return {
        completion,
        describe: () => describe(resolved),
        unmatched: (routes) => completion.unmatched(routes),
      };
    },
  });
}

/** Documents say where their slots are, also in threads that render them. */
function withEndpoint(
  slots: Readonly<Record<string, SlotOptions>>,
  options: SlotsOptions,
): Feature {
  return perServer({ name: 'slots' }, () => {
    const path = resolveSlotsOptions(options).endpoint!;
    const publicConfig = `<meta name="ng-ssr-slots" content="${path}">`;
    return {
      document: { publicConfig, id: `slots${path.replace(/\W/g, '_')}` },
      install: (core): OwnExtension => {
        const resolved = resolveSlots(slots);
        const completion = new SlotsElsewhere(path, resolved, core);
        return {
          completion,
          endpoints: [completion.endpoint],
          describe: () => describe(resolved, path),
          unmatched: (routes) => completion.unmatched(routes),
        };
      },
    };
  });
}

function describe(resolved: readonly Slot[], endpoint?: string): FeatureDescription {
  const slots = resolved.map(({ name, routes, timeoutMs }) => ({ name, routes, timeoutMs }));
  return { settings: { slots, endpoint } satisfies SlotsSettings };
}
