import type { Answer, FileAnswer } from '../exchange.ts';
import { valueOf, withField } from '../http/header-list.ts';
import type { Visit } from '../pages/visit.ts';
import { currentChain } from '../render/call-chain.ts';
import { publishRequest, requests } from '../telemetry/request-event.ts';
import type { RequestLog } from '../telemetry/request-log.ts';

/**
 * The only exit: every answer of a handler passes through here once. It drops the content of answers to
 * HEAD, keeps in redirects the query parameters that the page did not see, and publishes and logs the
 * answer.
 *
 * @param durationMs - 0 for a synchronous answer.
 * @param log - Undefined without a log, and for pages that the server renders for itself.
 */
export function leave<Sent extends Answer | FileAnswer>(
  visit: Visit,
  answer: Sent,
  durationMs: number,
  log: RequestLog | undefined,
): Sent {
  let left = answer;
  if (left.status >= 300 && left.status < 400 && left.status !== 304) left = keepQuery(left, visit);
  if (visit.method === 'HEAD' && 'body' in left && left.body !== null) {
    left = { ...left, body: null };
  }
  // A call in process is no client's request, and has an event of its own.
  if ((log !== undefined || requests.hasSubscribers) && currentChain() === undefined) {
    publishRequest(visit.exchange, left, durationMs, log);
  }
  return left;
}

/** Adds to a redirect within the site the query parameters that the page did not see. */
function keepQuery<Sent extends Answer | FileAnswer>(answer: Sent, visit: Visit): Sent {
  const location = valueOf(answer.headers, 'location');
  if (!location || visit.site.verdict !== 'allowed' || !visit.isWellFormed) return answer;
  const { ignored } = visit.page;
  if (ignored === '' || !leadsTo(visit.site.origin, location)) return answer;
  // The first `#` begins the fragment, which may contain others.
  const hash = location.indexOf('#');
  const end = hash === -1 ? location.length : hash;
  const address = location.slice(0, end);
  const separator = address.includes('?') ? '&' : '?';
  const kept = address + separator + ignored + location.slice(end);
  return { ...answer, headers: withField(answer.headers, 'location', kept) };
}

/** Whether the Location of a redirect, relative or absolute, is of this origin. */
function leadsTo(origin: string, location: string): boolean {
  return URL.canParse(location, origin) && new URL(location, origin).origin === origin;
}
