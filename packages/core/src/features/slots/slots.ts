import { isPage } from '../../answers/select.ts';
import { refuse } from '../../answers/refusal.ts';
import type { Resource } from '../../answers/resource.ts';
import { encodingFor } from '../../answers/to-answer.ts';
import { SsrError } from '../../errors.ts';
import type { Answer, Exchange, StreamedAnswer } from '../../exchange.ts';
import type { ContentEncoding } from '../../http/accept-encoding.ts';
import type { HeaderList } from '../../http/header-list.ts';
import { normalisePath } from '../../http/target.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import { RouteRules } from '../../pages/policy/route-rules.ts';
import type { OwnCore } from '../../path/own-feature.ts';
import type { PageCompletion } from '../../path/page-completion.ts';
import { isPromise } from '../../platform/is-promise.ts';
import { lightRequest } from '../../render/light-request.ts';
import { toRequest } from '../../render/to-request.ts';
import { CompletedHead } from './completed-head.ts';
import { Fills } from './fills.ts';
import { ACCEPT } from './late-calls.ts';
import { OPEN_ENCODINGS } from './open-encoding.ts';
import { OpenPages } from './open-pages.ts';
import { PageAlone } from './page-alone.ts';
import type { Slot } from './slot-options.ts';
import type { SlotQuery } from './slot-query.ts';
import { SlotWatch } from './slot-watch.ts';
import { reasonsOfSlots } from './slot-reasons.ts';
import { slottedContent } from './slotted-content.ts';
import { noticesOfUnmatchedRoutes } from './unmatched-routes.ts';

/** What a request gets beside its page. */
class Wanted {
  /** It is of one request at one time: where user code runs, there is another one after it. */
  readonly exchange: Exchange;
  readonly slots: readonly Slot[];
  /** Made when it is first needed. */
  page: Exchange | undefined;

  constructor(exchange: Exchange, slots: readonly Slot[]) {
    this.exchange = exchange;
    this.slots = slots;
  }
}

const NONE: readonly Slot[] = [];

/** How many paths have their slots cached, and how long a cached path may be. When the cache is full, it is emptied. */
const REMEMBERED_PATHS = 1000;
const REMEMBERED_CHARACTERS = 200;

/** Sends the data of slots after the pages that have them. */
export class Slots implements PageCompletion {
  readonly #slots: readonly Slot[];
  readonly #core: OwnCore;
  readonly #encodings: readonly ContentEncoding[];
  /** Whether all slots are for requests with a Cookie header alone. */
  readonly #isForCookies: boolean;
  /** By a pattern in `routes` of a slot: which paths it matches. Slots may write the same routes in different ways. */
  readonly #routes: ReadonlyMap<string, RouteRules>;
  readonly #pages: OpenPages;
  readonly #watch: SlotWatch;
  readonly #heads = new WeakMap<HeaderList, CompletedHead>();
  readonly #ofPaths = new Map<string, readonly Slot[]>();
  /** Functions `when` that need a real Request. */
  readonly #needReal = new WeakSet<Slot>();

  constructor(slots: readonly Slot[], core: OwnCore) {
    this.#slots = slots;
    this.#watch = new SlotWatch(slots, core.report);
    this.#core = core;
    this.#encodings = core.encodings.filter((each) => OPEN_ENCODINGS.includes(each));
    this.#isForCookies = slots.every(({ when }) => when === undefined);
    const { index, locales } = core;
    const read = (route: string): RouteRules =>
      new RouteRules({ [route]: {} }, index.baseHref, locales?.built, []);
    this.#routes = new Map(slots.flatMap(({ routes }) => routes.map((each) => [each, read(each)])));
    this.#pages = new OpenPages(
      (cause, encoding) => {
        const message = `a page with slots could not be encoded as ${encoding}`;
        core.onError(new SsrError('NG_SSR_ENCODING_FAILED', message, { cause }));
      },
      slots.filter(({ html }) => html !== undefined).map(({ name }) => name),
    );
  }

  pageOf(request: ParsedRequest, held?: Resource): Exchange | undefined {
    if (held !== undefined && !isPage(held.identity.full)) return undefined;
    // What most requests of a page without a session fail at.
    if (this.#isForCookies && request.exchange.header('cookie') === undefined) return undefined;
    const wanted = this.#wantedBy(request);
    // A page in place of the route that a slot calls would call it again.
    if (wanted.slots.length === 0 || request.exchange.header('accept') === ACCEPT) return undefined;
    return (wanted.page ??= new PageAlone(request.exchange));
  }

  async complete(
    page: Answer,
    request: ParsedRequest,
    requestContext: unknown,
  ): Promise<StreamedAnswer | Answer | undefined> {
    const { status, headers, body } = page;
    if (!isPage(page) || body === null) return undefined;
    const head = this.#headOf(status, headers);
    const encoding = encodingFor(head.page, body, request.exchange, this.#encodings) ?? 'identity';
    if (encoding === 'none') return refuse('NG_SSR_NOT_ACCEPTABLE', request.method);
    const { slots } = this.#wantedBy(request);
    // Before the page is encoded, which takes its time for the first request.
    const { path } = request;
    const islands = this.#pages.islandsOf(body);
    const asked = this.#toRequest(request);
    const parts = { request: asked, requestContext, path, islands, watch: this.#watch };
    const fills = new Fills(slots, parts);
    if (!fills.areDone) await fills.settle();
    const opened = this.#pages.open(body, encoding);
    const open = isPromise(opened) ? await opened : opened;
    const content = slottedContent(open, fills);
    const sent = head.headers(open.encoding, content.lengthBytes);
    return { status, headers: sent, content, isPersonal: true };
  }

  /**
   * Starts slots for a client that asks for them apart from their page.
   *
   * @param exchange - Its request.
   */
  async fillsFor(
    exchange: Exchange,
    { path, names, islands }: SlotQuery,
    requestContext: unknown,
  ): Promise<Fills> {
    const page = this.#core.server.parse(new PageAlone(exchange, path));
    await page.decide();
    const { slots } = this.#wantedBy(page);
    const asked = slots.filter(({ name }) => names === undefined || names.includes(name));
    const withHtml = asked.flatMap(({ name, html }) => (html === undefined ? [] : [name]));
    const fills = new Fills(asked, {
      ...{ request: this.#toRequest(page), requestContext, path: page.path, watch: this.#watch },
      islands: new Map([...islands].filter(([name]) => withHtml.includes(name))),
    });
    await fills.settle();
    return fills;
  }

  says(request: ParsedRequest, held?: Resource): string | undefined {
    if (held !== undefined && !isPage(held.identity.full)) return undefined;
    const slots = this.onPath(request);
    return reasonsOfSlots(slots, this.#wantedBy(request).slots, request.exchange);
  }

  /** As {@link noticesOfUnmatchedRoutes}. */
  unmatched(routes: readonly string[]): readonly SsrError[] {
    return noticesOfUnmatchedRoutes(this.#slots, this.#routes, routes);
  }

  /** The slots of a page, for any client. */
  onPath({ path }: ParsedRequest): readonly Slot[] {
    let slots = this.#ofPaths.get(path);
    if (slots !== undefined) return slots;
    const normalised = normalisePath(path);
    const matches = (route: string): boolean =>
      this.#routes.get(route)!.matching(normalised).length > 0;
    slots = this.#slots.filter(({ routes }) => routes.some(matches));
    if (path.length > REMEMBERED_CHARACTERS) return slots;
    if (this.#ofPaths.size >= REMEMBERED_PATHS) this.#ofPaths.clear();
    this.#ofPaths.set(path, slots);
    return slots;
  }

  #wantedBy(request: ParsedRequest): Wanted {
    const { completion, exchange } = request;
    if (!isForWhole(request)) return new Wanted(exchange, NONE);
    if (completion instanceof Wanted && completion.exchange === exchange) return completion;
    const wanted = new Wanted(exchange, this.#ask(request));
    request.completion = wanted;
    return wanted;
  }

  #ask(request: ParsedRequest): readonly Slot[] {
    const { exchange } = request;
    const hasCookie = exchange.header('cookie') !== undefined;
    let asked: Request | undefined;
    const slots = this.onPath(request).filter((slot) => {
      if (slot.when === undefined) return hasCookie;
      return this.#isWhen(slot, (asked ??= this.#toLightRequest(request)), request);
    });
    // Pages for operators are none of the application.
    const { endpoints } = this.#core.server.path;
    const isOther = slots.length > 0 && endpoints.some((each) => each.matches(request));
    return isOther ? NONE : slots;
  }

  #headOf(status: number, headers: HeaderList): CompletedHead {
    let head = this.#heads.get(headers);
    if (head === undefined) {
      head = new CompletedHead(status, headers, this.#encodings.length > 0);
      this.#heads.set(headers, head);
    }
    return head;
  }

  #isWhen(slot: Slot, light: Request, request: ParsedRequest): boolean {
    if (!this.#needReal.has(slot)) {
      try {
        return readWhen(slot, light);
      } catch (error) {
        // As for a runtime that looks for its own private fields. It would throw for each request.
        if (!(error instanceof TypeError)) return this.#failWhen(slot, request, error);
        this.#needReal.add(slot);
      }
    }
    try {
      return readWhen(slot, this.#toRequest(request));
    } catch (cause) {
      return this.#failWhen(slot, request, cause);
    }
  }

  #failWhen(slot: Slot, { path }: ParsedRequest, cause: unknown): false {
    const failure = { path, outcome: 'keeps its fallback', reason: 'when failed', cause };
    this.#watch.failed(slot, 0, failure);
    return false;
  }

  #toLightRequest({ exchange, origin, target }: ParsedRequest): Request {
    return lightRequest(exchange, origin + target, this.#core.isTrusted);
  }

  #toRequest({ exchange, origin, target }: ParsedRequest): Request {
    return toRequest(exchange, origin + target, this.#core.isTrusted);
  }
}

/** Whether a request is for a whole page, if it is for a page at all. */
export function isForWhole({ exchange, isWellFormed, method, site }: ParsedRequest): boolean {
  return (
    method === 'GET' &&
    site.verdict === 'allowed' &&
    isWellFormed &&
    exchange.status === 200 &&
    exchange.header('range') === undefined
  );
}

function readWhen({ when }: Slot, request: Request): boolean {
  const isWanted: unknown = when!(request);
  if (typeof isWanted === 'boolean') return isWanted;
  const found = isPromise(isWanted) ? 'a promise' : `a value of type ${typeof isWanted}`;
  // An unhandled rejection would end the process.
  if (isPromise(isWanted)) isWanted.then(undefined, () => undefined);
  throw new TypeError(`when returned ${found}; allowed: a boolean, synchronously`);
}
