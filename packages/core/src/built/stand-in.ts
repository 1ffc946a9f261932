import type { Answer, Exchange } from '../exchange.ts';
import { type Resource, select } from '../http/select.ts';
import type { NonceFiller } from '../stored/nonce.ts';

/**
 * A held page in place of the one that was asked for. It comes whole: preconditions and ranges are about
 * the other one, and so is a status that middleware has chosen.
 *
 * @returns undefined where no coding of it is acceptable to the client.
 */
export function standIn(
  page: Resource,
  nonce: NonceFiller | undefined,
  exchange: Exchange,
): Answer | undefined {
  const plain = toPlain(exchange);
  const { full } = page.identity;
  const answer = nonce?.isIn(full) === true ? nonce.fill(full, plain) : select(page, plain);
  // In no acceptable coding it is a 406, which says nothing of the page that was asked for.
  return answer.status === full.status ? answer : undefined;
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
