import type { Feature } from '@ng-ssr/core';

/** The feature that the guide for authors begins with. */
export function withMaintenancePage({ isOn }: { readonly isOn: () => boolean }): Feature {
  const page = { status: 503, headers: ['Content-Length', '0'], body: new Uint8Array() };
  return {
    name: 'maintenance-page',
    install: () => ({ substitutes: [{ answer: () => (isOn() ? page : undefined) }] }),
  };
}

export {
  withCalls,
  withDictionaries,
  withEarlyHints,
  withEdge,
  withHeaders,
  withInspector,
  withLocales,
  withNonce,
  withOldBuilds,
  withPrewarm,
  withPublicConfig,
  withPurgeEndpoint,
  withRenderThreads,
  withRequestLog,
  withServerThreads,
  withServerTiming,
  withSharedStore,
  withSlots,
  withSpeculationRules,
} from '@ng-ssr/koa';
