import { isOptionObject } from '../check-option.ts';
import { SsrError } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { normalisePath, pathOf } from '../http/target.ts';
import { withSlot } from '../render/with-slot.ts';
import { isPurge } from './check-purge.ts';
import { exchangeOfKey } from './key/exchange-of-key.ts';
import type { MemoryStore } from './memory/memory-store.ts';
import { ownExchange } from './own-exchange.ts';
import type { RouteRules } from './policy/route-rules.ts';
import { matches, normalisePurge } from './purge-reach.ts';

/** Which pages `refresh` renders: exactly one of `path`, `prefix`, `tag` and `urls`. */
export interface Refresh {
  /** Cached pages of this path, with all queries and variants. */
  readonly path?: string | undefined;
  /** Cached pages whose path starts with this. */
  readonly prefix?: string | undefined;
  /** Cached pages with this tag. */
  readonly tag?: string | undefined;
  /** Absolute URLs of pages, cached or not, as a visitor without cookies requests them. */
  readonly urls?: readonly string[] | undefined;
  /** Concurrent renders. Default: 1. */
  readonly concurrency?: number | undefined;
}

/** The result of `refresh`. A URL is listed once for each variant of its page. */
export interface RefreshReport {
  /** Number of pages that were rendered and cached. */
  readonly refreshed: number;
  /** URLs whose render failed. The old page stays, until its `staleIfError` ends. */
  readonly failed: readonly string[];
  /** URLs whose response is not cached, such as pages that set a cookie, and built files. */
  readonly notStored: readonly string[];
  /** URLs that were not rendered before the server closed. */
  readonly skipped: readonly string[];
}

/** A page that is to be rendered even if a fresh one is stored. */
export interface Renewal {
  /** Earlier renders do not count (`performance.now()`): their data may be old. */
  readonly sinceMs: number;
  /** Undefined if no page is the answer. */
  result: 'refreshed' | 'failed' | 'notStored' | undefined;
}

/** As `OwnServer.renderAhead`. */
export type RenderAhead = (exchange: Exchange, renewal?: Renewal) => Promise<Answer | undefined>;

/** The parts of a server that refreshes need. */
export interface RefreshParts {
  readonly memory: MemoryStore;
  readonly rules: RouteRules;
  readonly server: () => { readonly renderAhead: RenderAhead; readonly closing: AbortSignal };
}

/** As `StoredPages.refresh`. */
export async function refreshPages(given: Refresh, parts: RefreshParts): Promise<RefreshReport> {
  checkRefresh(given);
  const { concurrency = 1 } = given;
  const { renderAhead, closing } = parts.server();
  const sinceMs = performance.now();
  const report = {
    refreshed: 0,
    failed: [] as string[],
    notStored: [] as string[],
    skipped: [] as string[],
  };
  const exchanges = toExchanges(given, parts);
  const work = async (): Promise<void> => {
    for (const exchange of exchanges) {
      const renewal: Renewal = { sinceMs, result: undefined };
      const result = closing.aborted
        ? 'skipped'
        : await withSlot(() => renderAhead(exchange, renewal), closing).then(
            (answer) => renewal.result ?? (isFailure(answer) ? 'failed' : 'notStored'),
            (error: unknown) => {
              if (closing.aborted) return 'skipped' as const;
              throw error;
            },
          );
      if (result === 'refreshed') report.refreshed++;
      else report[result].push(urlOf(exchange));
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return report;
}

function* toExchanges(given: Refresh, { memory, rules }: RefreshParts): Generator<Exchange> {
  const { path, prefix, tag, urls } = given;
  for (const url of new Set(urls)) {
    const { origin, pathname, search } = new URL(url);
    yield ownExchange(origin, pathname + search);
  }
  if (urls !== undefined) return;
  const wanted = normalisePurge(rules, { path, prefix, tag });
  const pages = [...memory.pages()].filter(([, { page }]) =>
    wanted.some((each) => matches(each, page)),
  );
  for (const [key] of pages) {
    const [, target] = key.split('\n', 2);
    yield exchangeOfKey(key, rules.read(normalisePath(pathOf(target!))).rule);
  }
}

/** @throws SsrError `NG_SSR_REFRESH_INVALID` */
export function checkRefresh(given: unknown): asserts given is Refresh {
  const isObject = isOptionObject(given);
  const { urls, concurrency = 1, ...which } = (isObject ? given : {}) as Partial<Refresh>;
  const isWhich =
    urls === undefined
      ? !('hard' in which) && isPurge(which)
      : Array.isArray(urls) &&
        urls.every(isUrl) &&
        Object.values(which).every((v) => v === undefined);
  if (isObject && isWhich && Number.isSafeInteger(concurrency) && concurrency > 0) return;
  const bad = Array.isArray(urls) ? urls.find((url) => !isUrl(url)) : undefined;
  throw new SsrError(
    'NG_SSR_REFRESH_INVALID',
    `the refresh is ${bad === undefined ? show(given) : `of the URL ${show(bad)}`}; allowed: exactly one of path, prefix, tag and ` +
      'urls, as in { tag: "products" } or { urls: ["https://shop.example/products/1"] }, and concurrency: a whole number from 1',
  );
}

function isUrl(url: unknown): boolean {
  return typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url);
}

function show(value: unknown): string {
  return String(JSON.stringify(value)).slice(0, 200);
}

function isFailure(answer: Answer | undefined): boolean {
  return answer === undefined || answer.status >= 400;
}

function urlOf({ encrypted, header, target }: Exchange): string {
  return `${encrypted ? 'https' : 'http'}://${header('host')}${target}`;
}
