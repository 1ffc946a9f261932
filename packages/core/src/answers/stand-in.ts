import type { Answer, Exchange } from '../exchange.ts';
import { fillFor } from './fill.ts';
import type { Resource } from './resource.ts';
import { select } from './select.ts';

/**
 * A held page in place of the requested one. It is sent complete: preconditions, ranges and a status set
 * by middleware apply to the requested page.
 *
 * @returns undefined if no encoding of it is acceptable to the client.
 */
export function standIn(page: Resource, exchange: Exchange): Answer | undefined {
  const { fill } = page;
  const asked = toPlain(exchange);
  const answer =
    fill === undefined
      ? select(page, asked)
      : fillFor((held) => fill(held, exchange), page.identity.full, asked);
  // Without an acceptable encoding `answer` is a 406, which does not apply to the requested page.
  return answer.status === page.identity.full.status ? answer : undefined;
}

function toPlain(exchange: Exchange): Exchange {
  return {
    method: exchange.method,
    target: exchange.target,
    encrypted: exchange.encrypted,
    status: 200,
    header: (name) => (name === 'accept-encoding' ? exchange.header(name) : undefined),
    headers: () => [],
    content: () => Promise.resolve(undefined),
  };
}
