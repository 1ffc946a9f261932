import { readOption } from '../../check-option.ts';
import type { Feature } from '../../path/feature.ts';
import { perServer } from '../../path/for-server.ts';
import { own } from '../../path/own.ts';
import type { OwnCore, OwnExtension, OwnFeature } from '../../path/own-feature.ts';
import { resolveSlotsOptions, type SlotsOptions } from './endpoint-options.ts';
import { hasCalls, lateCalls, OwnRoutes, toElement } from './late-calls.ts';
import { resolveSlots, type Slot, type SlotOptions } from './slot-options.ts';
import { Slots } from './slots.ts';
import { SlotsElsewhere } from './slots-elsewhere.ts';

/** How slots are set up, for `ng-ssr doctor`. */
export interface SlotsSettings {
  readonly slots: readonly {
    readonly name: string;
    readonly routes: readonly string[];
    readonly timeoutMs: number;
    readonly call: string | undefined;
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
  const make = (): Resolved => {
    const { endpoint } = resolveSlotsOptions(options);
    const routes = new OwnRoutes();
    return { slots: resolveSlots(given, routes.fillOf), endpoint, routes };
  };
  const isMarked =
    options?.endpoint !== undefined || readOption('withSlots', () => hasCalls(given));
  if (isMarked) return perServer({ name: 'slots' }, ({ isBuilt }) => withMarks(make(), isBuilt));
  const install = (core: OwnCore): OwnExtension => extensionOf(make(), core);
  return own({ name: 'slots', isForClients: true, install });
}

interface Resolved {
  readonly slots: readonly Slot[];
  readonly endpoint: string | undefined;
  readonly routes: OwnRoutes;
}

/** Documents say where their slots are and which calls get them, also in threads that render them. */
function withMarks(resolved: Resolved, isBuilt: boolean): Partial<OwnFeature> {
  const { endpoint, slots } = resolved;
  const calls = lateCalls(slots, isBuilt);
  const inHead = endpoint === undefined ? '' : `<meta name="ng-ssr-slots" content="${endpoint}">`;
  const publicConfig = inHead + toElement(calls);
  const id = `slots${`${endpoint ?? ''}${calls}`.replace(/\W/g, '_')}`;
  return { document: { publicConfig, id }, install: (core) => extensionOf(resolved, core) };
}

function extensionOf({ slots, endpoint, routes }: Resolved, core: OwnCore): OwnExtension {
  const completion =
    endpoint === undefined ? new Slots(slots, core) : new SlotsElsewhere(endpoint, slots, core);
  return {
    completion,
    ...(completion instanceof SlotsElsewhere && { endpoints: [completion.endpoint] }),
    ...(routes.areNeeded && { useRoutes: (given) => void (routes.routes = given) }),
    describe: () => ({
      settings: { slots: slots.map(settingsOf), endpoint } satisfies SlotsSettings,
    }),
    unmatched: (patterns) => completion.unmatched(patterns),
  };
}

const settingsOf = ({ name, routes, timeoutMs, call }: Slot) => ({ name, routes, timeoutMs, call });
