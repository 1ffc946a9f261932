import type { Answer, StreamedAnswer } from '../exchange.ts';
import { keptPrivate } from '../http/edge-headers.ts';
import { valueOf, withHeader } from '../http/header-list.ts';
import type { Hit, ParsedRequest } from '../pages/parsed-request.ts';
import { currentChain } from '../render/call-chain.ts';
import { publishRequest, requests } from '../telemetry/request-event.ts';
import { CountedContent } from './counted-content.ts';
import type { PathParts } from './path-parts.ts';

/** Where answers are noted. The log is undefined without one, and for pages that the server renders for itself. */
type FinishParts = Pick<PathParts, 'pages' | 'log' | 'features'>;

/**
 * The only exit: every answer of a handler passes once through both halves, {@link toSent} and {@link publish}. They are
 * apart for adapters that may find that they cannot send an answer.
 */
export function finish<Sent extends Answer | StreamedAnswer>(
  request: ParsedRequest,
  answer: Sent,
  durationMs: number,
  parts: FinishParts,
): Sent {
  const sent = toSent(request, answer, parts.features);
  if (!('content' in sent) || hasLength(sent) || !isNoted(parts)) {
    publish(request, sent, durationMs, parts);
    return sent;
  }
  const { exchange, hit } = request;
  if (hit !== undefined) countHit(request, hit, parts);
  const { content } = sent;
  const counted = new CountedContent(content, (bytes) => {
    publishRequest(exchange, sent, durationMs, parts.log, bytes);
  });
  return { ...sent, content: counted };
}

/** A platform's stream is not read here. */
function hasLength({ content }: StreamedAnswer): boolean {
  return content.lengthBytes !== undefined || content.stream !== undefined;
}

/**
 * The answer as it is sent: with the headers that features add, without content to HEAD, and in redirects with the query
 * parameters that the page did not see.
 */
export function toSent<Sent extends Answer | StreamedAnswer>(
  request: ParsedRequest,
  answer: Sent,
  features: Pick<PathParts['features'], 'finish'>,
): Sent {
  let sent = features.finish?.(answer, request) ?? answer;
  if (sent.status >= 300 && sent.status < 400 && sent.status !== 304)
    sent = keepQuery(sent, request);
  if (request.method === 'HEAD' && 'body' in sent && sent.body !== null) {
    sent = { ...sent, body: null };
  }
  // Features may have added headers for caches to it.
  if ('isPersonal' in sent && features.finish !== undefined) {
    sent = { ...sent, headers: keptPrivate(sent.headers, 'isForIncluder' in sent) };
  }
  return sent;
}

/**
 * Publishes and logs an answer that is sent, and counts the stored page that it is made of.
 *
 * @param durationMs - 0 for a synchronous answer.
 */
export function publish(
  request: ParsedRequest,
  answer: Answer | StreamedAnswer,
  durationMs: number,
  parts: FinishParts,
): void {
  if (request.hit !== undefined) countHit(request, request.hit, parts);
  if (isNoted(parts)) publishRequest(request.exchange, answer, durationMs, parts.log);
}

function countHit(request: ParsedRequest, hit: Hit, { pages }: FinishParts): void {
  request.hit = undefined;
  pages.countHit?.(hit);
}

/** A call in process is no client's request, and has an event of its own. */
function isNoted({ log }: FinishParts): boolean {
  return (log !== undefined || requests.hasSubscribers) && currentChain() === undefined;
}

/** Adds to a redirect within the site the query parameters that the page did not see. */
function keepQuery<Sent extends Answer | StreamedAnswer>(
  answer: Sent,
  request: ParsedRequest,
): Sent {
  const location = valueOf(answer.headers, 'location');
  if (
    request.hasOwnQuery ||
    !location ||
    request.site.verdict !== 'allowed' ||
    !request.isWellFormed
  )
    return answer;
  const { ignored } = request.page;
  if (ignored === '' || !leadsTo(request.site.origin, location)) return answer;
  // The first `#` begins the fragment, which may contain others.
  const hash = location.indexOf('#');
  const end = hash === -1 ? location.length : hash;
  const address = location.slice(0, end);
  const separator = address.includes('?') ? '&' : '?';
  const kept = address + separator + ignored + location.slice(end);
  return { ...answer, headers: withHeader(answer.headers, 'location', kept) };
}

/** Whether the Location of a redirect, relative or absolute, is of this origin. */
function leadsTo(origin: string, location: string): boolean {
  return URL.canParse(location, origin) && new URL(location, origin).origin === origin;
}
