import type { Resource } from '../../answers/resource.ts';
import type { Answer, Exchange } from '../../exchange.ts';
import type { Pages } from '../../pages/pages.ts';
import type { RouteRule } from '../../pages/options/cache-options.ts';
import type { MatchingRule } from '../../pages/policy/route-rules.ts';
import type { Visit } from '../../pages/visit.ts';
import type { Fallback } from '../../render/fallbacks.ts';
import type { Explanation } from '../protocol.ts';

/** The parts of the request path that decide on an answer: the same objects that it uses. */
export interface ExplainedParts {
  readonly isBuilt: boolean;
  readonly options: {
    readonly render: { readonly fallbacks: readonly Fallback[]; readonly prefetch: boolean };
  };
  readonly rules: {
    matching(path: string): readonly MatchingRule[];
    isOfRoutes(path: string, routes: readonly string[]): boolean | undefined;
  };
  readonly built: {
    find(target: string, site?: string): Resource | undefined;
    findLarge(target: string, site?: string): { readonly sizeBytes?: number } | undefined;
    readonly hashed?:
      | { pathOf(target: string): string | undefined; isAmongThem(path: string): boolean }
      | undefined;
  };
  readonly otherBuilds: object | undefined;
  readonly constantPages: {
    readonly routes: readonly string[] | undefined;
    find(target: string): Resource | undefined;
  };
  readonly pages: Pages;
  readonly purgeEndpoint: { isAsked(exchange: Exchange): boolean } | undefined;
  readonly inspector: { isAsked(visit: Visit): boolean } | undefined;
  readonly renderRules: {
    answer(visit: Visit, rule: RouteRule | undefined, isBackground: boolean): Answer | undefined;
  };
  readonly speculationRules: { isAsked(visit: Visit): boolean } | undefined;
  readonly errorPages: { isNotFound(page: Resource): boolean };
  readonly locales:
    | {
        siteOf(visit: Visit): string;
        folderOf(visit: Visit): string;
        of(visit: Visit): { readonly locale: string } | undefined;
      }
    | undefined;
  readonly localeRedirects: { find(visit: Visit): Answer | undefined } | undefined;
}

/** What the inspector remembers of the last renders, by path. */
export interface LastRenders {
  notStored(path: string): Explanation['notStored'];
  failure(path: string): Explanation['failure'];
  calls(path: string): Explanation['calls'];
}
