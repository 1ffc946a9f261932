import type { Exchange } from '../../../exchange.ts';
import { BearerToken, tokenIn } from '../../../bearer-token.ts';
import { Sessions } from './session.ts';
import { isSameOrigin } from './same-origin.ts';

/** Who may see and do things: bearers of the token (RFC 6750), and people who have signed in with it. */
export class Access {
  readonly sessions: Sessions;
  readonly #token: BearerToken;

  constructor(token: string) {
    this.#token = new BearerToken(token);
    this.sessions = new Sessions(token);
  }

  /** Whether a request has the token or a session. A wrong token waits. */
  async mayRead(exchange: Exchange): Promise<boolean> {
    const token = tokenIn(exchange);
    if (token !== undefined) return this.hasToken(token);
    return this.sessions.isIn(exchange.header('cookie'));
  }

  /** The same for data: with a session no page of another origin may read it, not even one of the same site. */
  async mayFetch(exchange: Exchange): Promise<boolean> {
    const isByToken = tokenIn(exchange) !== undefined;
    const isTyped = exchange.header('sec-fetch-site') === 'none';
    if (!isByToken && !isTyped && !isSameOrigin(exchange, true)) return false;
    return this.mayRead(exchange);
  }

  /** The same for a request that changes something: with a session it must come from the inspector's own page. */
  async mayChange(exchange: Exchange): Promise<boolean> {
    const isByToken = tokenIn(exchange) !== undefined;
    if (!isByToken && !isFromOwnPage(exchange)) return false;
    return this.mayRead(exchange);
  }

  hasToken(given: string | undefined): Promise<boolean> {
    return this.#token.is(given);
  }
}

/** No form of another site can send this type. */
function isFromOwnPage(exchange: Exchange): boolean {
  const type = exchange.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' && isSameOrigin(exchange, false);
}
