import type { Resource } from '../../answers/resource.ts';
import { isPage } from '../../answers/select.ts';
import type { SsrError } from '../../errors.ts';
import type { Answer, Exchange, StreamedAnswer } from '../../exchange.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import type { OwnCore } from '../../path/own-feature.ts';
import type { PageCompletion } from '../../path/page-completion.ts';
import { canInclude, toEsiPage } from './esi-pages.ts';
import { PageAlone } from './page-alone.ts';
import { SlotEndpoint } from './slot-endpoint.ts';
import type { Slot } from './slot-options.ts';
import { isForWhole, Slots } from './slots.ts';

/** Pages are the same for all: their slots are sent from an endpoint. What knows ESI gets an include of it in the page. */
export class SlotsElsewhere implements PageCompletion {
  readonly endpoint: SlotEndpoint;
  readonly #path: string;
  readonly #slots: Slots;
  readonly #withHtml: readonly string[];
  readonly #core: OwnCore;

  constructor(path: string, slots: readonly Slot[], core: OwnCore) {
    this.#path = path;
    this.#slots = new Slots(slots, core);
    this.#withHtml = slots.filter(({ html }) => html !== undefined).map(({ name }) => name);
    this.#core = core;
    this.endpoint = new SlotEndpoint(path, this.#slots);
  }

  answer(
    request: ParsedRequest,
    requestContext: unknown,
  ): Promise<Answer | StreamedAnswer> | undefined {
    if (!this.endpoint.matches(request)) return undefined;
    return this.endpoint.stream(request, requestContext);
  }

  pageOf(request: ParsedRequest, held?: Resource): Exchange | undefined {
    if (!canInclude(request.exchange) || !isForWhole(request)) return undefined;
    if (held !== undefined && !isPage(held.identity.full)) return undefined;
    const { endpoints } = this.#core.server.path;
    const isOther = endpoints.some((each) => each.matches(request));
    const hasSlots = this.#slots.onPath(request).length > 0;
    return isOther || !hasSlots ? undefined : new PageAlone(request.exchange);
  }

  complete(page: Answer, { target }: ParsedRequest): Promise<StreamedAnswer | undefined> {
    return Promise.resolve(toEsiPage(page, target, this.#path, this.#withHtml));
  }

  unmatched(routes: readonly string[]): readonly SsrError[] {
    return this.#slots.unmatched(routes);
  }

  says(request: ParsedRequest, held?: Resource): string | undefined {
    if (held !== undefined && !isPage(held.identity.full)) return undefined;
    const names = this.#slots.onPath(request).map(({ name }) => name);
    if (names.length === 0) return undefined;
    const how =
      this.pageOf(request, held) === undefined
        ? `Browsers fetch these slots from ${this.#path}`
        : `The page has <esi:include> of ${this.#path}, which sends these slots`;
    return `${how}: ${names.join(', ')}.`;
  }
}
