import { setTimeout as wait } from 'node:timers/promises';
import { refuse } from '../../answers/refusal.ts';
import { SsrError } from '../../errors.ts';
import type { Answer, Exchange } from '../../exchange.ts';
import type { Feature } from '../../path/feature.ts';
import { assertStored, perServer } from '../../path/for-server.ts';
import type { OwnCore, OwnExtension } from '../../path/own-feature.ts';
import { prewarm } from './prewarm.ts';
import { type PrewarmOptions, resolvePrewarmOptions } from './prewarm-options.ts';

/** Delays before a page that got no render slot is prewarmed again: the first, doubled up to the last. */
const FIRST_RETRY_MS = 1000;
const LAST_RETRY_MS = 30_000;

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

/** Retries until there is a render slot: requests come first. */
async function renderWithSlot(
  { report, server }: OwnCore,
  exchange: Exchange,
): Promise<Answer | undefined> {
  for (let waitMs = FIRST_RETRY_MS; ; waitMs = Math.min(waitMs * 2, LAST_RETRY_MS)) {
    try {
      return await server.renderAhead(exchange);
    } catch (error) {
      if (!(error instanceof SsrError) || error.code !== 'NG_SSR_OVERLOADED') {
        const message = `${exchange.target} could not be prewarmed`;
        report(new SsrError('NG_SSR_PREWARM_FAILED', message, { cause: error }));
        return refuse('NG_SSR_RENDER_FAILED', exchange.method);
      }
      if (server.closing.aborted) return refuse('NG_SSR_OVERLOADED', exchange.method);
      await wait(waitMs, undefined, { ref: false });
    }
  }
}
