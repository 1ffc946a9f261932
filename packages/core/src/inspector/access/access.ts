import { platform } from '#platform';
import type { Exchange } from '../../exchange.ts';
import { Sessions } from './session.ts';
import { isSameOrigin } from './same-origin.ts';
import { SlowRefusals } from './slow-refusals.ts';

/** Who may see and do things: bearers of the token (RFC 6750), and people who have signed in with it. */
export class Access {
  readonly sessions: Sessions;
  readonly #token: string;
  readonly #slow = new SlowRefusals();

  constructor(token: string) {
    this.#token = token;
    this.sessions = new Sessions(token);
  }

  /** Whether a request has the token or a session. A wrong token waits. */
  async mayRead(exchange: Exchange): Promise<boolean> {
    const authorization = exchange.header('authorization');
    if (authorization !== undefined) return this.hasToken(bearerIn(authorization));
    return this.sessions.isIn(exchange.header('cookie'));
  }

  /** The same for data: with a session no page of another origin may read it, not even one of the same site. */
  async mayFetch(exchange: Exchange): Promise<boolean> {
    const isByToken = exchange.header('authorization') !== undefined;
    const isTyped = exchange.header('sec-fetch-site') === 'none';
    if (!isByToken && !isTyped && !isSameOrigin(exchange, true)) return false;
    return this.mayRead(exchange);
  }

  /** The same for a request that changes something: with a session it must come from the inspector's own page. */
  async mayChange(exchange: Exchange): Promise<boolean> {
    const isByToken = exchange.header('authorization') !== undefined;
    if (!isByToken && !isFromOwnPage(exchange)) return false;
    return this.mayRead(exchange);
  }

  async hasToken(given: string | undefined): Promise<boolean> {
    if (given === undefined || given === '') return false;
    if (await platform.isSameSecret(given, this.#token)) return true;
    await this.#slow.wait();
    return false;
  }
}

function bearerIn(authorization: string): string | undefined {
  const [scheme, token] = authorization.split(' ');
  return scheme?.toLowerCase() === 'bearer' ? token : undefined;
}

/** No form of another site can send this type. */
function isFromOwnPage(exchange: Exchange): boolean {
  const type = exchange.header('content-type')?.split(';')[0]?.trim().toLowerCase();
  return type === 'application/json' && isSameOrigin(exchange, false);
}
