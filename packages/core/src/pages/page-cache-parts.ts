import type { Dictionaries } from '../answers/dictionaries.ts';
import type { NonceFiller } from '../answers/nonce.ts';
import type { PageAnswers } from '../answers/page-answers.ts';
import type { PageCoder } from '../answers/page-coder.ts';
import type { SsrError } from '../errors.ts';
import type { ResolvedFilesOptions } from '../files/files-options.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import type { PublicConfigElement } from '../public-config.ts';
import type { ResolvedRenderOptions } from '../render/render-options.ts';
import type { Scheduler } from '../render/scheduler.ts';
import type { ResolvedCacheOptions } from './options/resolve-cache-options.ts';
import type { RouteRules } from './policy/route-rules.ts';

/** The parts of a server that stored pages depend on. */
export interface PageCacheParts {
  readonly cache: ResolvedCacheOptions;
  readonly files: ResolvedFilesOptions;
  readonly render: ResolvedRenderOptions;
  readonly publicConfig: PublicConfigElement | undefined;
  readonly errorDetails: boolean;
  readonly isTrusted: ProxyHeaderPredicate;
  readonly rules: RouteRules;
  readonly scheduler: Scheduler;
  readonly nonce: NonceFiller | undefined;
  readonly coder: PageCoder;
  readonly answers: PageAnswers;
  /** Undefined without the option `dictionaries`. */
  readonly dictionaries: Dictionaries | undefined;
  /** The home page of each locale, by its route path, with its value of Use-As-Dictionary. */
  readonly homePages: ReadonlyMap<string, string>;
  readonly onError: (error: SsrError) => void;
}
