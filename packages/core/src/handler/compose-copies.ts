import type { BuiltIndex } from '../files/built-index.ts';
import type { ProxyHeaderPredicate } from '../host/proxy-headers.ts';
import { KeyMaker } from '../pages/key/cache-key.ts';
import { LanguageMatcher } from '../pages/key/languages.ts';
import type { RouteRules } from '../pages/policy/route-rules.ts';
import type { DownstreamCache } from '../pages/downstream-cache.ts';
import type { PageTraits } from '../pages/traits/page-traits.ts';
import type { MainLink } from '../threads/main-link.ts';
import { PageReplica } from '../threads/page-replica.ts';
import type { ResolvedOptions } from './options.ts';

/** A server thread has the main thread render and store. */
export function forServerThread(options: ResolvedOptions): ResolvedOptions {
  const { cache, render } = options;
  return {
    ...options,
    cache: cache && { ...cache, store: undefined },
    render: { ...render, workers: { min: 0, max: 0 } },
  };
}

/** The pages of a server thread. From now on the main thread's changes of pages and files are applied. */
export function composeCopies(parts: {
  readonly main: MainLink;
  readonly options: ResolvedOptions;
  readonly hasStore: boolean;
  readonly built: BuiltIndex;
  readonly isTrusted: ProxyHeaderPredicate;
  readonly rules: RouteRules;
  readonly traits: PageTraits;
  readonly downstream: DownstreamCache | undefined;
}): PageReplica {
  const { main, options, hasStore, built, isTrusted, rules, traits, downstream } = parts;
  const { cache } = options;
  const languages = cache && cache.languages ? new LanguageMatcher(cache.languages) : undefined;
  const keys = new KeyMaker(languages, isTrusted);
  const maxBytes = cache ? cache.maxBytes : 0;
  const pages = new PageReplica({ main, keys, rules, traits, hasStore, downstream, maxBytes });
  main.listen((message) => {
    if (message.kind === 'coded') built.addCoded(message.added);
    else if (message.kind === 'count') main.sendCounts(message.id);
    else pages.take(message);
  });
  return pages;
}
