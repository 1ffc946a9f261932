import type { ProxyHeaderPredicate } from '../../host/proxy-headers.ts';
import { toRequest } from '../../render/to-request.ts';
import type { AskedPage } from '../key/asked-page.ts';
import type { KeyMaker } from '../key/cache-key.ts';
import type { LanguageMatcher } from '../key/languages.ts';
import type { Visit } from '../visit.ts';
import { toSharedRequest } from './to-shared-request.ts';

/** Makes the requests from which engines render pages that may be stored. */
export class EngineRequests {
  readonly #keys: KeyMaker;
  readonly #languages: LanguageMatcher | undefined;
  readonly #isTrusted: ProxyHeaderPredicate;
  readonly #isDevelopment: boolean;

  /**
   * @param languages - Match the Accept-Language that the engine gets; undefined for the field as received.
   * @param isDevelopment - As in {@link toSharedRequest}.
   */
  constructor(
    keys: KeyMaker,
    languages: LanguageMatcher | undefined,
    isTrusted: ProxyHeaderPredicate,
    isDevelopment: boolean,
  ) {
    this.#keys = keys;
    this.#languages = languages;
    this.#isTrusted = isTrusted;
    this.#isDevelopment = isDevelopment;
  }

  /** For a shared route the engine sees only what the key covers, and no request context. */
  of(
    { exchange, origin }: Visit,
    page: AskedPage,
    requestContext: unknown,
  ): { request: Request; requestContext: unknown } {
    if (page.isShared) {
      const request = toSharedRequest(exchange, origin, page, this.#keys, this.#isDevelopment);
      return { request, requestContext: null };
    }
    const url = origin + page.path + page.query;
    const language = this.#languages?.match(exchange.header('accept-language'));
    return { request: toRequest(exchange, url, this.#isTrusted, language), requestContext };
  }
}
