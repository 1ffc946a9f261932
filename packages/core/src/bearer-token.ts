import { platform } from '#platform';
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

/**
 * The token in an Authorization field (RFC 6750 section 2.1): all that follows the scheme, since a part of it may be
 * the right token. Undefined for other schemes.
 */
export function bearerIn(authorization: string | undefined): string | undefined {
  const found = /^bearer(?: +(.*))?$/i.exec(authorization ?? '');
  return found === null ? undefined : (found[1] ?? '');
}
