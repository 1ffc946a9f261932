import type { NonceFiller } from '../../answers/nonce.ts';
import type { Answer } from '../../exchange.ts';
import { type Directives, readDirectives } from '../../http/cache-control.ts';
import { withoutEdgeFields } from '../../http/edge-fields.ts';
import { type HeaderList, valueOf, withField } from '../../http/header-list.ts';
import { trimOws } from '../../http/optional-whitespace.ts';
import type { StoredPage } from '../store/page-store.ts';
import type { Edge } from './edge.ts';
import { tagsOfPage } from './edge-tags.ts';
import { OfferedPaths } from './offered-paths.ts';

/** The fields of a stored page where an edge is in front. */
export interface FieldsBehindEdge {
  /** Those of the page itself, for clients. */
  readonly headers: HeaderList;
  /** In addition, for as long as the page is fresh and was not purged: the edge keeps the answer. */
  readonly kept: HeaderList;
  /** In addition at any other time: the edge must not keep the answer. */
  readonly withheld: HeaderList;
}

/** Says which answers the edge keeps: those with fresh stored pages, and no others. */
export class EdgeFields {
  /** Of pages that the edge was told to keep. */
  readonly offered: OfferedPaths = new OfferedPaths();
  readonly #edge: Edge;
  readonly #nonce: NonceFiller | undefined;

  constructor(edge: Edge, nonce: NonceFiller | undefined) {
    this.#edge = edge;
    this.#nonce = nonce;
  }

  /** @param vary - The value of Vary that its answers have. */
  of(page: StoredPage, vary: string | undefined): FieldsBehindEdge {
    const { status, headers, body } = page;
    const own = withoutEdgeFields(headers);
    // Each answer has its own nonce, and is `no-store`.
    if (this.#nonce?.isIn({ status, headers, body }) === true) {
      return { headers: own, kept: [], withheld: [] };
    }
    const withheld = this.#edge.noStoreFields;
    const cacheControl = valueOf(own, 'cache-control');
    const directives = readDirectives(cacheControl ?? '');
    const fields = isForClientsAlone(directives) ? undefined : this.#fieldsOf(page, vary);
    if (fields === undefined) return { headers: own, kept: withheld, withheld };
    const isRead = cacheControl !== undefined || !own.some((text) => /^expires$/i.test(text));
    return {
      headers: isRead ? withField(own, 'cache-control', forBrowsers(directives)) : own,
      kept: fields,
      withheld,
    };
  }

  /** The answer with a page that is not stored: the edge does not store it either. */
  withhold(answer: Answer): Answer {
    const headers = withoutEdgeFields(answer.headers);
    const directives = readDirectives(valueOf(headers, 'cache-control') ?? '');
    if (!isForClientsAlone(directives)) headers.push(...this.#edge.noStoreFields);
    return { ...answer, headers };
  }

  #fieldsOf(page: StoredPage, vary: string | undefined): readonly string[] | undefined {
    const { staleWhileRevalidateSeconds, staleIfErrorSeconds } = page;
    const freshSeconds = Math.floor(page.freshSeconds);
    const names = (vary ?? '')
      .split(',')
      .map((name) => trimOws(name).toLowerCase())
      .filter((name) => name !== '' && name !== 'accept-encoding');
    if (freshSeconds === 0 || names.some((name) => OF_ONE_CLIENT.has(name))) return undefined;
    const tags = tagsOfPage(page);
    const lifetime = { freshSeconds, staleWhileRevalidateSeconds, staleIfErrorSeconds };
    const fields = this.#edge.fieldsOf({ tags, vary: names, ...lifetime });
    if (fields !== undefined) this.offered.add(tags[0]!);
    return fields;
  }
}

/** An edge that keyed by all of such a field would keep a page per client. */
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
