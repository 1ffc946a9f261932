import { platform } from '#platform';
import type { Exchange } from './exchange.ts';
import { SlowRefusals } from './slow-refusals.ts';

/** The token of an endpoint (RFC 6750). A wrong one waits for its refusal, the right one never does. */
export class BearerToken {
  readonly #token: string;
  readonly #slow = new SlowRefusals();

  constructor(token: string) {
    this.#token = token;
  }

  async is(given: string | undefined): Promise<boolean> {
    if (given === undefined || given === '') return false;
    if (await platform.isSameSecret(given, this.#token)) return true;
    await this.#slow.wait();
    return false;
  }
}

/** For requests whose Authorization is that of a proxy in front (HTTP Basic). No form or page of another site can send it. */
const TOKEN_HEADER = 'ng-ssr-token';

/** The token of a request, in Authorization or in a header of its own. */
export function tokenIn(exchange: Pick<Exchange, 'header'>): string | undefined {
  return exchange.header(TOKEN_HEADER) ?? bearerIn(exchange.header('authorization'));
}

/** Whether Authorization is there and has another scheme: it is a proxy's, which has accepted it. */
export function hasOtherCredentials(exchange: Pick<Exchange, 'header'>): boolean {
  const authorization = exchange.header('authorization') ?? '';
  return authorization !== '' && bearerIn(authorization) === undefined;
}

/**
 * The token in an Authorization header (RFC 6750 section 2.1): all that follows the scheme, since a part of it may be
 * the right token. Undefined for other schemes.
 */
function bearerIn(authorization: string | undefined): string | undefined {
  const found = /^bearer(?: +(.*))?$/i.exec(authorization ?? '');
  return found === null ? undefined : (found[1] ?? '');
}
