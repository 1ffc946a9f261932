import type { PageAnswers } from '../answers/page-answers.ts';
import type { Encoder } from '../answers/encoder.ts';
import type { SsrError } from '../errors.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import type { ResolvedRenderOptions } from '../render/render-options.ts';
import type { Scheduler } from '../render/scheduler.ts';
import type { DownstreamCache } from './downstream-cache.ts';
import type { ResolvedCacheOptions } from './options/resolve-cache-options.ts';
import type { RouteRules } from './policy/route-rules.ts';
import type { RefreshParts } from './refreshes.ts';
import type { OpenTier } from './flights/tier-pages.ts';
import type { PageTraits } from './traits/page-traits.ts';

/** The parts of a server that stored pages depend on. */
export interface PageCacheParts {
  readonly cache: ResolvedCacheOptions;
  /** Undefined for memory alone. */
  readonly openTier: OpenTier | undefined;
  readonly render: Pick<ResolvedRenderOptions, 'bots' | 'encodings'>;
  readonly errorDetails: boolean;
  readonly isTrusted: ProxyHeaderPredicate;
  readonly rules: RouteRules;
  readonly scheduler: Scheduler;
  readonly traits: PageTraits;
  readonly encoder: Encoder;
  readonly answers: PageAnswers;
  readonly downstream: DownstreamCache | undefined;
  /** Known when the features are installed. */
  readonly server: RefreshParts['server'];
  readonly report: (error: SsrError) => void;
}
