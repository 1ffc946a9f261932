import { AsyncLocalStorage } from 'node:async_hooks';
import { messageOf } from '../../../describe-error.ts';
import { SsrError } from '../../../errors.ts';
import {
  type CallChain,
  type ChainLink,
  loopError,
  runInChain,
} from '../../../render/call-chain.ts';
import type { CallRequest, SentResponse, UntaggedCall } from '../call-request.ts';
import { callError, tooLarge } from '../call-errors.ts';
import { decodeContent } from './decoded-content.ts';
import { addDefaultHeaders } from './default-headers.ts';
import type { RouteResponse, Routes } from '../../../path/routes.ts';
import { shownUrl } from '../shown-url.ts';

/** How many calls may wait for each other, from page to page. */
const MOST_CALLS = 8;

/** Headers of a connection (RFC 9110 section 7.6.1), of which there is none. */
const OF_CONNECTIONS = ['connection', 'keep-alive', 'proxy-connection', 'te', 'upgrade'];
/** What the adapter makes of the content, and what would have the server ask for it, or code its own. */
const NOT_PASSED = ['content-length', 'transfer-encoding', 'trailer', 'expect', 'accept-encoding'];
/** Of the connection in memory. */
const NOT_ANSWERED = [...OF_CONNECTIONS, 'transfer-encoding'];

type Content = NonNullable<RouteResponse['body']>;

/** Sends calls to the server's own routes, without a socket. */
export class InProcess {
  routes: Routes | undefined;
  /** Routes must not see the stores (AsyncLocalStorage) of the page's request. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  readonly #report: (error: SsrError) => void;
  #withoutRoutes: SsrError | undefined;

  constructor(report: (error: SsrError) => void) {
    this.#report = report;
  }

  /** @throws the reason of the call's signal; SsrError `NG_SSR_CALL_LOOP`, `NG_SSR_CALL_FAILED`. */
  readonly send = async (call: CallRequest): Promise<SentResponse> => {
    const { method, url, body, signal } = call;
    signal.throwIfAborted();
    const routes = this.routes ?? this.#failWithoutRoutes(call);
    const link = callLink(call);
    if (call.chain.filter(isCall).length >= MOST_CALLS) throw loopError(call.chain, link);
    const chain: CallChain = { links: [...call.chain, link], loop: undefined, pages: [] };
    const headers = new Headers(call.headers);
    for (const name of [...OF_CONNECTIONS, ...NOT_PASSED]) headers.delete(name);
    addDefaultHeaders(headers, call);
    headers.set('host', url.host);
    let response: RouteResponse;
    try {
      const answered = this.#runAtStart(() =>
        runInChain(chain, async () => routes({ method, url, headers, body, signal })),
      );
      response = await untilAborted(answered, signal);
    } catch (cause) {
      if (signal.aborted) throw signal.reason;
      throw (
        chain.loop ??
        callError('NG_SSR_CALL_FAILED', call, `failed: ${messageOf(cause)}`, { cause })
      );
    }
    if (chain.loop !== undefined && response.status >= 400) {
      drop(response);
      throw chain.loop;
    }
    return toSent(call, response, chain.pages);
  };

  #failWithoutRoutes({ rule }: CallRequest): never {
    if (this.#withoutRoutes === undefined) {
      const message =
        `withCalls[${JSON.stringify(rule.pattern)}].inProcess is true, but the option routes is missing. Set it to your ` +
        'app: routes: (request) => app.fetch(request), or with @ng-ssr/node, koa or express: (req, res) => app(req, res)';
      this.#withoutRoutes = new SsrError('NG_SSR_OPTION_INVALID', message);
      this.#report(this.#withoutRoutes);
    }
    throw this.#withoutRoutes;
  }
}

export function callLink({ method, url }: Pick<UntaggedCall, 'method' | 'url'>): ChainLink {
  return {
    key: `call ${method} ${url.href}`,
    get shown() {
      return `${method} ${shownUrl(url)}`;
    },
  };
}

function isCall({ key }: ChainLink): boolean {
  return key.startsWith('call ');
}

/** Rejects as soon as the signal aborts: routes may not heed it. */
function untilAborted(
  answered: Promise<RouteResponse>,
  signal: AbortSignal,
): Promise<RouteResponse> {
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      reject(signal.reason as Error);
      answered.then(drop, () => {});
    };
    signal.addEventListener('abort', abort, { once: true });
    answered.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}

function toSent(
  call: CallRequest,
  response: RouteResponse,
  pages: SentResponse['pages'],
): SentResponse {
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  const encoding = headers.get('content-encoding');
  const bytes = Number(headers.get('content-length') ?? 0);
  const hasContent = call.method !== 'HEAD';
  if (!hasContent) drop(response);
  else if (bytes > call.rule.maxBytes) {
    drop(response);
    throw tooLarge(call);
  }
  for (const name of NOT_ANSWERED) headers.delete(name);
  return {
    ...{ status, statusText, headers },
    body: hasContent ? decode(call, body ?? new Uint8Array(), encoding) : null,
    url: call.url.href,
    isRedirected: false,
    pages,
  };
}

function decode(call: CallRequest, body: Content, encoding: string | null): Content {
  if (encoding === null) return body;
  try {
    return decodeContent(body, encoding);
  } catch (cause) {
    drop({ body });
    throw callError('NG_SSR_CALL_FAILED', call, `failed: ${messageOf(cause)}`, { cause });
  }
}

function drop({ body }: Pick<RouteResponse, 'body'>): void {
  if (body instanceof ReadableStream) void body.cancel().catch(() => {});
}
