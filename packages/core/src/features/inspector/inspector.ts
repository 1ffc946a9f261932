import { AsyncLocalStorage } from 'node:async_hooks';
import { statusOf } from '../../error-statuses.ts';
import { SsrError } from '../../errors.ts';
import type { Answer, Exchange } from '../../exchange.ts';
import type { Endpoint, EndpointRoute } from '../../path/endpoint.ts';
import type { TokenEndpoint } from '../../path/token-endpoint.ts';
import type { Said } from '../../path/substitute.ts';
import { checkPurge } from '../../pages/check-purge.ts';
import type { PurgeReport } from '../../pages/purge-reach.ts';
import type { ParsedRequest } from '../../pages/parsed-request.ts';
import { sentContent, sentJson } from '../../sent-content.ts';
import { unref } from '../../timers.ts';
import { Access } from './access/access.ts';
import { isSameOrigin } from './access/same-origin.ts';
import {
  answerWithScript,
  answerWithShell,
  answerWithStyle,
  askToSignIn,
  leadBack,
} from './browser-answers.ts';
import { refuseInspection, toJson, unauthorized } from './answers.ts';
import { type InspectorPart, InspectorPath, routeOfInspector } from './inspector-path.ts';
import { Observation, type ObservedServer } from './observation/observation.ts';
import type { LastRenders } from './explain/explained-parts.ts';
import { listPages, type VaryOf } from './pages/list-pages.ts';
import { readPageQuery } from './pages/page-query.ts';
import type { Explanation } from './protocol.ts';
import { type InspectedServer, readGauges, readState } from './state.ts';

/** Explains what the server would do with a request. */
export interface Explaining {
  /**
   * @param request - The JSON of the request, not checked yet.
   * @param asked - The inspector's own request.
   */
  explain(request: unknown, asked: Exchange): Explanation | Promise<Explanation>;
}

/** The parts of the server that an inspector shows. */
export interface InspectorParts
  extends InspectedServer, Pick<ObservedServer, 'routeOf' | 'pathOf'> {
  readonly varyOf: VaryOf;
  readonly explainer: (notes: LastRenders) => Explaining;
}

const SECOND_MS = 1000;

/** The operator's view of a server: what it does, what it stores, and purges. */
export class Inspector implements Endpoint {
  readonly observation: Observation;
  readonly route: EndpointRoute;
  readonly #path: InspectorPath;
  readonly #access: Access;
  readonly #parts: InspectorParts;
  readonly #startedAtMs = Date.now();
  /** Seconds end in no request's context. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  #end: (() => void) | undefined;

  constructor({ path, token }: TokenEndpoint, parts: InspectorParts) {
    this.route = routeOfInspector(path);
    this.#path = new InspectorPath(path);
    this.#access = new Access(token);
    this.#parts = parts;
    this.observation = new Observation({
      gauges: () => readGauges(parts),
      routeOf: parts.routeOf,
      pathOf: parts.pathOf,
    });
  }

  matches(parsed: ParsedRequest): boolean {
    return this.#path.read(parsed) !== undefined;
  }

  says(): Said {
    const reasons = ['This is the inspector. It needs its token.'];
    return { answer: 'server', status: undefined, reasons };
  }

  /** Observes from now on. */
  start(): void {
    if (this.#end !== undefined) return;
    this.#runAtStart(() => {
      const deafen = this.observation.listen();
      const timer = unref(setInterval(() => this.observation.tick(), SECOND_MS));
      this.#end = () => {
        clearInterval(timer);
        deafen();
      };
    });
  }

  stop(): void {
    this.#end?.();
    this.#end = undefined;
  }

  async answer(parsed: ParsedRequest): Promise<Answer> {
    const { method } = parsed;
    try {
      return await this.#answer(this.#path.read(parsed)!, parsed);
    } catch (error) {
      if (!(error instanceof SsrError) || statusOf(error.code) !== 400) throw error;
      return refuseInspection(error.code, method, error.message);
    }
  }

  #answer(part: InspectorPart, parsed: ParsedRequest): Promise<Answer> | Answer {
    const { name, query } = part;
    const { exchange } = parsed;
    switch (name) {
      case '':
        return this.#showPage(part, exchange);
      case '/script.js':
        return readable(exchange, answerWithScript);
      case '/style.css':
        return readable(exchange, answerWithStyle);
      case '/sign-in':
        return this.#signIn(part, parsed);
      case '/sign-out':
        return this.#signOut(part, parsed);
      case '/state':
        return this.#read(exchange, () =>
          readState(this.#parts, this.observation, this.#startedAtMs),
        );
      case '/pages':
        return this.#read(exchange, () =>
          listPages(this.#parts.pages.held?.() ?? [], readPageQuery(query), this.#parts.varyOf),
        );
      case '/purge':
        return this.#change(exchange, (purge) => this.#purge(purge));
      case '/explain':
        return this.#change(exchange, (request) =>
          this.#parts.explainer(this.observation.notes).explain(request, exchange),
        );
      default:
        return refuseInspection('NG_SSR_NOT_FOUND', exchange.method);
    }
  }

  async #showPage({ root }: InspectorPart, exchange: Exchange): Promise<Answer> {
    const { method } = exchange;
    if (method !== 'GET' && method !== 'HEAD') return notAllowed(method, 'GET, HEAD');
    if (await this.#access.mayRead(exchange)) return answerWithShell(root);
    return askToSignIn(root, exchange, false);
  }

  /** Takes the form of the page for signing in. */
  async #signIn({ root }: InspectorPart, parsed: ParsedRequest): Promise<Answer> {
    const { exchange, method } = parsed;
    if (method !== 'POST') return notAllowed(method, 'POST');
    if (!isSameOrigin(exchange, true)) return unauthorized(exchange);
    const content = new TextDecoder().decode(await sentContent(exchange));
    const token = new URLSearchParams(content).get('token') ?? undefined;
    if (!(await this.#access.hasToken(token))) return askToSignIn(root, exchange, true);
    return leadBack(root, this.#access.sessions.start(root, isEncrypted(parsed)));
  }

  #signOut({ root }: InspectorPart, parsed: ParsedRequest): Answer {
    const { exchange, method } = parsed;
    if (method !== 'POST') return notAllowed(method, 'POST');
    if (!isSameOrigin(exchange, false)) return unauthorized(exchange);
    return leadBack(root, this.#access.sessions.end(root, isEncrypted(parsed)));
  }

  async #read(exchange: Exchange, read: () => unknown): Promise<Answer> {
    const { method } = exchange;
    if (method !== 'GET' && method !== 'HEAD') return notAllowed(method, 'GET, HEAD');
    if (!(await this.#access.mayFetch(exchange))) return unauthorized(exchange);
    return toJson(await read());
  }

  async #change(exchange: Exchange, change: (content: unknown) => unknown): Promise<Answer> {
    const { method } = exchange;
    if (method !== 'POST') return notAllowed(method, 'POST');
    if (!(await this.#access.mayChange(exchange))) return unauthorized(exchange);
    return toJson(
      await change(await sentJson(exchange, 'the request', 'NG_SSR_INSPECTOR_INVALID')),
    );
  }

  async #purge(purge: unknown): Promise<PurgeReport> {
    checkPurge(purge);
    return { purged: purge, ...(await this.#parts.pages.purge(purge, { count: true })) };
  }
}

/** Whether the browser has an encrypted connection: as far as proxies are trusted, and by its own word. */
function isEncrypted({ origin, exchange }: ParsedRequest): boolean {
  return origin.startsWith('https:') || exchange.header('origin')?.startsWith('https:') === true;
}

function readable({ method }: Exchange, answer: () => Answer): Answer {
  return method === 'GET' || method === 'HEAD' ? answer() : notAllowed(method, 'GET, HEAD');
}

function notAllowed(method: string, allow: string): Answer {
  return refuseInspection('NG_SSR_METHOD_NOT_ALLOWED', method, undefined, ['Allow', allow]);
}
