import type { Answer, Exchange } from '../exchange.ts';
import { isForCaches } from '../http/edge-headers.ts';
import { type HeaderList, withHeader } from '../http/header-list.ts';
import { underStatus } from './representation.ts';

/**
 * Makes the answer of one client out of the one that is held for all: changes its content, its headers or both. It gets the
 * whole answer to a GET, in identity, as fills of other traits have left it. See {@link fillFor}.
 */
export type Fill = (answer: Answer, exchange: Exchange) => Answer;

/** The answer that one client alone gets: `private, no-store`, without validators and ranges. Only after a render it is then encoded. */
export function fillFor(fill: Fill, held: Answer, exchange: Exchange): Answer {
  const { status, body } = held;
  const filled = fill({ status, headers: forOne(held.headers), body }, exchange);
  // Whatever the trait says: no cache may have it.
  let own = forOne(filled.headers);
  const length = filled.body?.byteLength;
  if (length !== undefined) own = withHeader(own, 'Content-Length', String(length));
  const sent = { ...filled, headers: own };
  return underStatus(
    sent,
    exchange.status !== 200 ? exchange.status : status,
    exchange.method === 'HEAD',
  );
}

/** A directive for an edge would win over Cache-Control (RFC 9213 section 2.2). */
function forOne(headers: HeaderList): string[] {
  const kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase();
    const isOfBytes = name === 'content-encoding' || name === 'date';
    if (!isOfBytes && !isForCaches(name)) kept.push(headers[i]!, headers[i + 1]!);
  }
  return withHeader(kept, 'Cache-Control', 'private, no-store');
}
