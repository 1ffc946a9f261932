import type { ContentHead } from '../../answers/content-head.ts';
import type { Fill } from '../../answers/fill.ts';
import type { Choose } from '../../answers/resource.ts';
import { SsrError } from '../../errors.ts';
import type { Answer, Exchange } from '../../exchange.ts';
import { isHeaderName, isHeaderValue } from '../../http/header-syntax.ts';
import { addVary, type HeaderList } from '../../http/header-list.ts';
import { WITHOUT_NONCE } from '../policy/nonces-in.ts';
import type { Reason } from '../policy/may-store.ts';
import type { StoredPage } from '../stored-page.ts';
import type { MarkedHeaders, PageMarks, PageTrait, RenderedPage } from './page-trait.ts';

/** When a trait is asked, beside those of all features. */
export type TraitStage = 'content' | 'headers' | 'downstream' | 'encoding';

/** A trait, and when it is asked. */
export interface StagedTrait {
  readonly trait: PageTrait;
  readonly stage: TraitStage;
}

const STAGES: readonly TraitStage[] = ['content', 'headers', 'downstream', 'encoding'];

/** The marks of all traits of one page; every page has the same members. */
export interface KeptMarks {
  readonly query: string;
  readonly isEncoded: boolean;
  readonly headers: HeaderList;
  /** In place of the page's own Vary; undefined to leave that. */
  readonly vary: string | undefined;
  readonly always: HeaderList;
  /** Undefined, as `stale` is, where no trait has headers by moment. */
  readonly fresh: HeaderList | undefined;
  readonly stale: HeaderList | undefined;
  readonly fill: Fill | undefined;
  readonly choose: Choose | undefined;
  readonly wanted: PageMarks['wanted'];
  readonly awaitsEncoding: boolean;
  readonly stored: PageMarks['stored'];
  readonly dropped: PageMarks['dropped'];
}

/** All traits of a server's pages, joined once, when the server is created. */
export class PageTraits {
  readonly #all: readonly PageTrait[];

  private constructor(all: readonly PageTrait[]) {
    this.#all = all;
  }

  /**
   * Specifies the order:
   *
   * 1. `content`: the nonce. Its places are offsets in the page as it was rendered, and that it fills a page is known to
   *    all others. Without one, pages that have a nonce are not stored.
   * 2. `headers`: the traits of other features, in their order.
   * 3. `downstream`: the edge, which replaces the Cache-Control and keeps the page by the Vary of all traits.
   * 4. `encoding`: dictionaries. A browser keeps a page as one by the Cache-Control that it gets, which is that behind
   *    the edge.
   */
  static join(traits: readonly StagedTrait[]): PageTraits {
    const all = STAGES.flatMap((each) => traits.filter(({ stage }) => stage === each));
    const isFilled = all[0]?.stage === 'content';
    return new PageTraits([...(isFilled ? [] : [WITHOUT_NONCE]), ...all.map((each) => each.trait)]);
  }

  /** As {@link PageTrait.check}. */
  check(rendered: RenderedPage, name: string): void {
    for (const trait of this.#all) trait.check?.(rendered, name);
  }

  /** As {@link PageTrait.refuse}: the first reason. */
  refuse(rendered: RenderedPage): Reason | undefined {
    const reason = first(this.#all, (trait) => trait.refuse?.(rendered));
    // A parameter of Cache-Status (RFC 8941 section 3.3.4).
    return reason === undefined || WORD.test(reason) ? (reason as Reason) : ('feature' as Reason);
  }

  /** As {@link PageTrait.fillOf}: each fills what the traits before have filled. */
  fillOf(answer: Answer): Fill | undefined {
    return this.#all
      .map((trait) => trait.fillOf?.(answer))
      .reduce((all, fill) => {
        if (all === undefined || fill === undefined) return all ?? fill;
        return (held, exchange) => fill(all(held, exchange), exchange);
      }, undefined);
  }

  /**
   * The marks of a page that is taken into memory.
   *
   * @param head - Of the page.
   * @param isEncoded - Whether encodings are made of pages at all.
   */
  keep(page: StoredPage, head: ContentHead, query: string, isEncoded: boolean): KeptMarks {
    const { headers, body } = page;
    const fill = this.fillOf(page);
    const how = {
      query,
      isEncoded: isEncoded && body.byteLength > 0 && head.isEncodable,
      isFilled: fill !== undefined,
    };
    const marks = this.#all.flatMap((trait) => trait.keep?.(page, how) ?? []);
    let vary = how.isEncoded ? head.varyEncoded : head.values.get('vary');
    const names = marks.flatMap((each) => each.vary ?? []);
    for (const name of names) vary = addVary(vary, name);
    return {
      query,
      isEncoded: how.isEncoded,
      vary: how.isEncoded || names.length > 0 ? vary : undefined,
      ...joinHeaders(headers, vary, marks),
      fill,
      choose: first(marks, ({ choose }) => choose),
      wanted: first(marks, ({ wanted }) => wanted),
      awaitsEncoding: marks.some(({ awaitsEncoding }) => awaitsEncoding === true),
      stored: callAll(marks.flatMap(({ stored }) => stored ?? [])),
      dropped: callAll(marks.flatMap(({ dropped }) => dropped ?? [])),
    };
  }

  /** As {@link PageTrait.pass}. */
  pass(answer: Answer, exchange: Exchange): Answer {
    return this.#all.reduce((passed, trait) => trait.pass?.(passed, exchange) ?? passed, answer);
  }

  /** As {@link PageTrait.toStored}. */
  toStored(page: StoredPage): StoredPage {
    return this.#all.reduce((sent, trait) => trait.toStored?.(sent) ?? sent, page);
  }

  /** As {@link PageTrait.fromStored}, which is called in reverse order. */
  fromStored(page: StoredPage): StoredPage | undefined {
    return this.#all.reduceRight<StoredPage | undefined>(
      (found, trait) => (found && trait.fromStored ? trait.fromStored(found) : found),
      page,
    );
  }
}

/** What Cache-Status takes as a detail. */
export const WORD: RegExp = /^[a-z][\w.-]{0,40}$/i;

/** @throws SsrError `NG_SSR_FEATURE_FAILED` for what no server can send. */
function assertSendable(marked: MarkedHeaders): void {
  for (const headers of [marked.headers, marked.always, marked.fresh, marked.stale]) {
    const isFit =
      headers === undefined ||
      (Array.isArray(headers) &&
        headers.length % 2 === 0 &&
        headers.every((text, at) => (at % 2 === 0 ? isHeaderName(text) : isHeaderValue(text))));
    if (isFit) continue;
    const message = `a trait of pages has given headers that cannot be sent: ${JSON.stringify(headers)}`;
    throw new SsrError('NG_SSR_FEATURE_FAILED', message);
  }
}

function joinHeaders(
  own: HeaderList,
  vary: string | undefined,
  marks: readonly PageMarks[],
): Pick<KeptMarks, 'headers' | 'always' | 'fresh' | 'stale'> {
  let headers = own;
  const all: MarkedHeaders[] = [];
  for (const each of marks) {
    const added = all.flatMap((before) => [before.always, before.fresh, before.stale]);
    const names = added.flatMap((list) => list ?? []);
    const marked = each.headers?.({ headers, vary, added: names });
    if (marked === undefined) continue;
    assertSendable(marked);
    headers = marked.headers ?? headers;
    all.push(marked);
  }
  const always = all.flatMap((marked) => marked.always ?? []);
  const isOfMoment = all.some(({ fresh, stale }) => fresh !== undefined || stale !== undefined);
  const fresh = isOfMoment ? all.flatMap((marked) => marked.fresh ?? []) : undefined;
  const stale = isOfMoment ? all.flatMap((marked) => marked.stale ?? []) : undefined;
  return { headers, always, fresh, stale };
}

function first<Item, Value>(
  items: readonly Item[],
  valueOf: (item: Item) => Value | undefined,
): Value | undefined {
  for (const item of items) {
    const value = valueOf(item);
    if (value !== undefined) return value;
  }
  return undefined;
}

function callAll<Args extends unknown[]>(
  calls: readonly ((...args: Args) => void)[],
): ((...args: Args) => void) | undefined {
  if (calls.length < 2) return calls[0];
  return (...args) => {
    for (const call of calls) call(...args);
  };
}
