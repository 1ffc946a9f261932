import type { Answer } from '../../exchange.ts';
import { type Directives, readDirectives } from '../../http/cache-control.ts';
import { withoutEdgeHeaders } from '../../http/edge-headers.ts';
import { valueOf, withHeader } from '../../http/header-list.ts';
import { trimOws } from '../../http/optional-whitespace.ts';
import type { StoredPage } from '../../pages/stored-page.ts';
import type {
  Keeping,
  KeptHeaders,
  MarkedHeaders,
  PageMarks,
  PageTrait,
} from '../../pages/traits/page-trait.ts';
import type { Edge } from './edge.ts';
import { tagsOfPage } from './edge-tags.ts';
import { OfferedPaths } from './offered-paths.ts';

/** Says which answers the edge keeps: those with fresh stored pages, and no others. */
export class EdgeHeaders implements PageTrait {
  /** Of pages that the edge was told to keep. */
  readonly offered: OfferedPaths = new OfferedPaths();
  readonly #edge: Edge;

  constructor(edge: Edge) {
    this.#edge = edge;
  }

  /** An edge asks once for each encoding and keeps what it gets, so the answer waits for the encoding. */
  keep(page: StoredPage, { isFilled }: Keeping): PageMarks {
    return {
      awaitsEncoding: !isFilled,
      // A filled answer is `no-store`.
      headers: (kept) =>
        isFilled ? { headers: withoutEdgeHeaders(kept.headers) } : this.#headersOf(page, kept),
    };
  }

  #headersOf(page: StoredPage, { headers, vary, added }: KeptHeaders): MarkedHeaders {
    const own = withoutEdgeHeaders(headers);
    const withheld = this.#edge.noStoreHeaders;
    const cacheControl = valueOf(own, 'cache-control');
    const directives = readDirectives(cacheControl ?? '');
    const isWithheld = isForClientsAlone(directives) || added.some((name) => OF_CACHES.test(name));
    const forEdge = isWithheld ? undefined : this.#edgeHeadersOf(page, vary);
    if (forEdge === undefined) return { headers: own, fresh: withheld, stale: withheld };
    const isRead = cacheControl !== undefined || !own.some((text) => /^expires$/i.test(text));
    return {
      headers: isRead ? withHeader(own, 'cache-control', forBrowsers(directives)) : own,
      fresh: forEdge,
      stale: withheld,
    };
  }

  /** The answer with a page that is not stored: the edge does not store it either. */
  pass(answer: Answer): Answer {
    const headers = withoutEdgeHeaders(answer.headers);
    const directives = readDirectives(valueOf(headers, 'cache-control') ?? '');
    if (!isForClientsAlone(directives)) headers.push(...this.#edge.noStoreHeaders);
    return { ...answer, headers };
  }

  #edgeHeadersOf(page: StoredPage, vary: string | undefined): readonly string[] | undefined {
    const { staleWhileRevalidateSeconds, staleIfErrorSeconds } = page;
    const freshSeconds = Math.floor(page.freshSeconds);
    const names = (vary ?? '')
      .split(',')
      .map((name) => trimOws(name).toLowerCase())
      .filter((name) => name !== '' && name !== 'accept-encoding');
    if (freshSeconds === 0 || names.some((name) => OF_ONE_CLIENT.has(name))) return undefined;
    const tags = tagsOfPage(page);
    const lifetime = { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds };
    const headers = this.#edge.headersOf({ tags, vary: names, ...lifetime });
    if (headers !== undefined) this.offered.add(tags[0]!);
    return headers;
  }
}

/** What traits must not add to pages that an edge keeps: it would keep them by other rules than these. */
const OF_CACHES = /^(?:cache-control|set-cookie2?|vary|expires)$/i;

/** An edge that keyed by all of such a header would keep a page per client. */
const OF_ONE_CLIENT: ReadonlySet<string> = new Set(['cookie', 'authorization', '*']);

/** Whether the Cache-Control of an answer has each shared cache leave it alone. */
function isForClientsAlone(directives: Directives): boolean {
  return ['private', 'no-store', 'no-cache'].some((name) => directives.has(name));
}

/** Directives for shared caches that no purge reaches, and those that let browsers use a page after its purge. */
const OF_SHARED_CACHES: ReadonlySet<string> = new Set([
  ...['s-maxage', 'proxy-revalidate', 'stale-while-revalidate', 'stale-if-error'],
]);

/** A Cache-Control without the lifetimes that are the edge's. */
function forBrowsers(directives: Directives): string {
  const kept = new Map([...directives].filter(([name]) => !OF_SHARED_CACHES.has(name)));
  if (!kept.has('max-age')) kept.set('max-age', '0');
  kept.set('must-revalidate', true);
  return [...kept]
    .map(([name, value]) => (value === true ? name : `${name}=${toArgument(value)}`))
    .join(', ');
}

function toArgument(value: string): string {
  return /^[\w!#$%&'*+.^`|~-]+$/.test(value) ? value : `"${value.replaceAll(/["\\]/g, '\\$&')}"`;
}
