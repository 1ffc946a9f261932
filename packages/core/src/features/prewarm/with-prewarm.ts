import { refuse } from '../../answers/refusal.ts';
import { SsrError } from '../../errors.ts';
import type { Answer, Exchange } from '../../exchange.ts';
import type { Feature } from '../../path/feature.ts';
import { assertStored, perServer } from '../../path/for-server.ts';
import type { OwnCore, OwnExtension } from '../../path/own-feature.ts';
import { withSlot } from '../../render/with-slot.ts';
import { prewarm } from './prewarm.ts';
import { type PrewarmOptions, resolvePrewarmOptions } from './prewarm-options.ts';

/**
 * Renders pages when the server starts, so that the first visitors find them in the cache.
 *
 * @example
 * ```ts
 * features: [withPrewarm({ paths: ['/'], sitemap: 'sitemap.xml', origin: 'https://shop.example' })]
 * ```
 */
export function withPrewarm(options: PrewarmOptions): Feature {
  const base = { name: 'prewarm', isForClients: true, isForNode: true };
  return perServer(base, (storing) => {
    const pages = resolvePrewarmOptions(options);
    assertStored('withPrewarm()', storing);
    if (!storing.isStored) return {};
    return {
      install: (core): OwnExtension => {
        if (!core.isMain) return {};
        const render = (exchange: Exchange): Promise<Answer | undefined> =>
          renderWithSlot(core, exchange);
        const isStopped = (): boolean => core.server.closing.aborted;
        return {
          delaysReady: pages.blocksReady === true,
          start: () => prewarm(pages, core.browserFolder, render, core.onError, isStopped),
        };
      },
    };
  });
}

/** Requests come first. */
async function renderWithSlot(
  { report, server }: OwnCore,
  exchange: Exchange,
): Promise<Answer | undefined> {
  try {
    return await withSlot(() => server.renderAhead(exchange), server.closing);
  } catch (error) {
    if (server.closing.aborted) return refuse('NG_SSR_OVERLOADED', exchange.method);
    const message = `${exchange.target} could not be prewarmed`;
    report(new SsrError('NG_SSR_PREWARM_FAILED', message, { cause: error }));
    return refuse('NG_SSR_RENDER_FAILED', exchange.method);
  }
}
