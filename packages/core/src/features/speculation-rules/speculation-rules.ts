import { entityTag } from '#etag';
import type { Answer, StreamedAnswer } from '../../exchange.ts';
import { HeldResource } from '../../files/held-resource.ts';
import { type HeaderList, valueOf } from '../../http/header-list.ts';
import { pathOf } from '../../http/target.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import type { HeldFile } from '../../path/feature.ts';
import type { OwnCore } from '../../path/own-feature.ts';
import type { Said } from '../../path/substitute.ts';

/** Below the application's base href. */
const PATH = '/_ng-ssr/speculation-rules.json';
const MOST_PATHS = 1000;
const MOST_BYTES = 64 * 1024;
/** How long a list is used: it is made at most so often, however often it is asked for. */
const USED_MS = 10_000;
const CACHE_CONTROL = 'public, max-age=60';
/** A client can ask by any allowed host. */
const MOST_ORIGINS = 100;

interface Listed {
  readonly resource: HeldResource;
  readonly etag: string;
  readonly untilMs: number;
}

/**
 * Speculation rules: a list of pages that a browser may prefetch, because they cost no render. The header that names
 * the list is on all HTML answers.
 *
 * @see https://html.spec.whatwg.org/multipage/speculative-loading.html
 */
export class SpeculationRules implements HeldFile {
  readonly #core: OwnCore;
  readonly #path: string;
  readonly #header: readonly [name: string, value: string];
  readonly #lists = new Map<string, Listed>();
  /** Header lists of prebuilt answers with the header added, so that a hit makes none. */
  readonly #marked = new WeakMap<HeaderList, HeaderList>();

  constructor(core: OwnCore) {
    this.#core = core;
    this.#path = core.index.baseHref.slice(0, -1) + PATH;
    this.#header = ['Speculation-Rules', `"${this.#path}"`];
  }

  /** The list, for a request to an allowed host. */
  find(request: ParsedRequest): HeldResource | undefined {
    if (request.site.verdict !== 'allowed' || !this.#isAsked(request)) return undefined;
    const { origin } = request;
    const nowMs = performance.now();
    let listed = this.#lists.get(origin);
    if (listed === undefined || nowMs >= listed.untilMs) {
      listed = this.#list(origin, nowMs, listed);
      if (this.#lists.size >= MOST_ORIGINS) this.#lists.clear();
      this.#lists.set(origin, listed);
    }
    return listed.resource;
  }

  says(request: ParsedRequest): Said | undefined {
    if (request.site.verdict !== 'allowed' || !this.#isAsked(request)) return undefined;
    const reasons = ['This is the list of speculation rules, which the server makes.'];
    return { answer: 'server', status: 200, reasons };
  }

  /** The answer with the header, if it is a page of the application. */
  mark<Sent extends Answer | StreamedAnswer>(answer: Sent, request: ParsedRequest): Sent {
    const { headers } = answer;
    if (answer.status !== 200) return answer;
    let marked = this.#marked.get(headers);
    if (marked === undefined) {
      const isPage = valueOf(headers, 'content-type')?.startsWith('text/html') === true;
      const isMarked = valueOf(headers, 'speculation-rules') !== undefined;
      marked =
        isPage && !isMarked && !this.#isOfServer(request) ? [...headers, ...this.#header] : headers;
      this.#marked.set(headers, marked);
    }
    return marked === headers ? answer : { ...answer, headers: marked };
  }

  /** Pages for operators are none of the application. */
  #isOfServer(request: ParsedRequest): boolean {
    return this.#core.server.path.endpoints.some((each) => each.matches(request));
  }

  #isAsked({ target, targetBelowMount }: ParsedRequest): boolean {
    return pathOf(target) === this.#path || pathOf(targetBelowMount) === PATH;
  }

  /** A list that has not changed keeps its date. */
  #list(origin: string, nowMs: number, earlier: Listed | undefined): Listed {
    const urls: string[] = [];
    let bytes = 0;
    for (const path of this.#paths(origin)) {
      bytes += path.length + 3;
      if (urls.length >= MOST_PATHS || bytes > MOST_BYTES) break;
      urls.push(path);
    }
    const body = Buffer.from(JSON.stringify({ prefetch: [{ urls, eagerness: 'moderate' }] }));
    const etag = entityTag(body);
    const untilMs = nowMs + USED_MS;
    if (etag === earlier?.etag) return { ...earlier, untilMs };
    const resource = new HeldResource('the speculation rules', body, {
      contentType: 'application/speculationrules+json',
      cacheControl: CACHE_CONTROL,
      modifiedMs: Math.floor(Date.now() / 1000) * 1000,
      isEncoded: false,
    });
    return { resource, etag, untilMs };
  }

  *#paths(origin: string): Iterable<string> {
    const { index, server } = this.#core;
    yield* index.pagePaths?.() ?? [];
    yield* server.pages.publicPaths?.(origin) ?? [];
  }
}
