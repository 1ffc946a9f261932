import { platform } from '#platform';
import { SsrError } from '../../errors.ts';
import type { Answer } from '../../exchange.ts';
import { refuse } from '../../answers/refusal.ts';
import { BearerToken, tokenIn } from '../../bearer-token.ts';
import { pathOf } from '../../http/target.ts';
import type { Endpoint, EndpointRoute } from '../../path/endpoint.ts';
import type { OwnCore } from '../../path/own-feature.ts';
import type { TokenEndpoint } from '../../path/token-endpoint.ts';
import { type Said, sayRefused } from '../../path/substitute.ts';
import { sentJson } from '../../sent-content.ts';
import { checkPurge } from '../../pages/check-purge.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';

/** The optional endpoint for purges: POST with JSON, protected by a bearer token (RFC 6750). */
export class PurgeEndpoint implements Endpoint {
  readonly route: EndpointRoute;
  readonly #path: string;
  readonly #token: BearerToken;
  readonly #core: Pick<OwnCore, 'server'>;

  constructor({ path, token }: TokenEndpoint, core: Pick<OwnCore, 'server'>) {
    this.route = { option: 'withPurgeEndpoint.path', path };
    this.#path = path;
    this.#token = new BearerToken(token);
    this.#core = core;
  }

  matches({ target, targetBelowMount }: ParsedRequest): boolean {
    return pathOf(targetBelowMount) === this.#path || pathOf(target) === this.#path;
  }

  /** @throws SsrError `NG_SSR_STORE_UNAVAILABLE`, when the purge may not have reached all processes. */
  async answer({ exchange, method }: ParsedRequest): Promise<Answer> {
    if (method !== 'POST') {
      return refuse('NG_SSR_METHOD_NOT_ALLOWED', method, undefined, ['Allow', 'POST']);
    }
    if (!(await this.#token.is(tokenIn(exchange)))) {
      return refuse('NG_SSR_PURGE_UNAUTHORIZED', method, undefined, ['WWW-Authenticate', 'Bearer']);
    }
    try {
      const purge = await sentJson(exchange, 'a purge request', 'NG_SSR_PURGE_INVALID');
      checkPurge(purge);
      const reach = await this.#core.server.pages.purge(purge, { count: true });
      return toJson({ purged: purge, ...reach });
    } catch (error) {
      if (!(error instanceof SsrError) || error.code !== 'NG_SSR_PURGE_INVALID') throw error;
      return refuse(error.code, method, error.message);
    }
  }

  says(): Said {
    return sayRefused('NG_SSR_METHOD_NOT_ALLOWED', 'This is the purge endpoint, which takes POST.');
  }
}

function toJson(value: unknown): Answer {
  const body = platform.toBytes(`${JSON.stringify(value)}\n`);
  const headers = [
    ...['Content-Type', 'application/json', 'Content-Length', String(body.byteLength)],
    ...['Cache-Control', 'no-store', 'Cache-Status', 'ng-ssr; detail=purge'],
  ];
  return { status: 200, headers, body };
}
