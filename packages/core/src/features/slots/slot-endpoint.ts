import { platform } from '#platform';
import { refuse } from '../../answers/refusal.ts';
import type { Answer, Exchange, StreamedAnswer } from '../../exchange.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import type { Endpoint, EndpointRoute } from '../../path/endpoint.ts';
import type { Said } from '../../path/substitute.ts';
import { joined } from './open-encoding.ts';
import { SlotElements } from './slot-elements.ts';
import { readSlotQuery } from './slot-query.ts';
import type { Slots } from './slots.ts';

const HEADERS: readonly string[] = [
  ...['Content-Type', 'text/html; charset=utf-8', 'X-Content-Type-Options', 'nosniff'],
  ...['Cache-Control', 'private, no-store, no-transform', 'Vary', 'Cookie'],
  // A document of its own shows nothing, and no other site may embed it.
  ...['Content-Security-Policy', "sandbox; default-src 'none'; frame-ancestors 'none'"],
  ...['Cross-Origin-Resource-Policy', 'same-origin', 'X-Robots-Tag', 'noindex'],
  // nginx would hold a fast slot back until a slow one is there.
  ...['X-Accel-Buffering', 'no', 'Cache-Status', 'ng-ssr; detail=slots'],
];
const ALLOW = ['Allow', 'GET, HEAD'];

/**
 * Answers `GET /_slots?path=/a`: the elements that follow a page where no cache is between, each as it arrives. For
 * `slot()`, for `<esi:include>`, and for code at the edge.
 */
export class SlotEndpoint implements Endpoint {
  readonly route: EndpointRoute;
  readonly #path: string;
  readonly #slots: Slots;

  constructor(path: string, slots: Slots) {
    this.route = { option: 'withSlots.endpoint', path };
    this.#path = path;
    this.#slots = slots;
  }

  matches({ target }: Pick<ParsedRequest, 'target'>): boolean {
    const end = target[this.#path.length];
    return target.startsWith(this.#path) && (end === undefined || end === '?');
  }

  /** For adapters that send whole answers only. */
  async answer(request: ParsedRequest): Promise<Answer> {
    const answer = await this.stream(request, undefined);
    if (!('content' in answer)) return answer;
    const { status, headers, content } = answer;
    const pieces: Uint8Array[] = [];
    for (let piece = await content.read(); piece; piece = await content.read()) pieces.push(piece);
    return { status, headers, body: platform.viewOf(joined(pieces)) };
  }

  /** The answer in pieces. Never rejects. */
  async stream(request: ParsedRequest, requestContext: unknown): Promise<Answer | StreamedAnswer> {
    const { exchange, isRead, method, target } = request;
    if (!isRead) return refuse('NG_SSR_METHOD_NOT_ALLOWED', method, undefined, ALLOW);
    if (!isOfThisSite(exchange)) return refuse('NG_SSR_SLOTS_CROSS_SITE', method);
    const query = readSlotQuery(target.slice(this.#path.length));
    if (query === undefined) return refuse('NG_SSR_TARGET_MALFORMED', method, DETAILS);
    if (method === 'HEAD') return { status: 200, headers: HEADERS, body: null };
    const fills = await this.#slots.fillsFor(exchange, query, requestContext);
    return { status: 200, headers: HEADERS, content: new SlotElements(fills), isPersonal: true };
  }

  says(): Said {
    const reasons = ['This is the endpoint of withSlots(), from which browsers fetch their slots.'];
    return { answer: 'server', status: 200, reasons };
  }
}

const DETAILS = 'The query needs path=, the escaped path of a page with its query.';

/**
 * Whether a page of this site asks, or a navigation does: a proxy passes on what it got with the navigation. Over plain HTTP
 * browsers do not send Sec-Fetch-Site; there, they send Origin with a GET to another site alone.
 */
function isOfThisSite(exchange: Exchange): boolean {
  const site = exchange.header('sec-fetch-site');
  if (site === undefined) return exchange.header('origin') === undefined;
  return site === 'same-origin' || exchange.header('sec-fetch-dest') === 'document';
}
