import { PageAnswers } from '../answers/page-answers.ts';
import { PageCache } from '../pages/page-cache.ts';
import type { Pages } from '../pages/pages.ts';
import { UnstoredPages } from '../pages/unstored-pages.ts';
import type { Scheduler } from '../render/scheduler.ts';
import type { CoreOptions } from './core-options.ts';
import type { OwnCore, OwnExtension } from './own-feature.ts';
import type { Runtime } from './runtime.ts';

/** The pages of a server: stored here, copies of those of the main thread, or not stored. */
export function makePages(
  { encoder, encodings, isBuilt, toReplica, traits }: Runtime,
  options: CoreOptions,
  core: OwnCore,
  scheduler: Scheduler,
  extensions: readonly OwnExtension[],
): Pages {
  const { cache } = options;
  const { isTrusted, report, rules } = core;
  const openTier = extensions.find((each) => each.openTier)?.openTier;
  const downstream = extensions.find((each) => each.downstream)?.downstream;
  const isStored = cache !== false && isBuilt;
  const hasTier = isStored && openTier !== undefined;
  if (toReplica) return toReplica({ isTrusted, rules, hasTier, downstream });
  const answers = new PageAnswers(encodings, encoder, traits);
  const parts = { isTrusted, rules, scheduler, traits, answers, openTier, downstream, report };
  // In development, each page says whether a build would cache it.
  if (!isStored) {
    return new UnstoredPages(parts, !isBuilt && cache !== false && options.errorDetails);
  }
  return new PageCache({ ...options, ...parts, encoder, cache, server: () => core.server });
}
