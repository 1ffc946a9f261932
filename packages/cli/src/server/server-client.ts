import type { ExplainRequest, Explanation, InspectorState } from '@ng-ssr/core';
import { SsrError } from '@ng-ssr/core/pack';
import { describeFailedConnection } from './failed-connection.ts';
import { EXPLANATION, PURGED, STATE } from './answer-shapes.ts';
import type { Shape } from './shape.ts';
import { type ReceivedAnswer, send, type SentRequest } from './send.ts';
import { BASIC } from './token.ts';

/** The path of `withInspector()` unless it has another one. */
export const INSPECTOR_PATH = '/_ng-ssr/inspector';
/** The path of `withPurgeEndpoint()` unless it has another one. */
export const PURGE_PATH = '/_ng-ssr/purge';

const TIMEOUT_MS = 10_000;

/** What is purged: one of path, prefix and tag. */
export interface PurgeRequest {
  readonly path?: string | undefined;
  readonly prefix?: string | undefined;
  readonly tag?: string | undefined;
  readonly hard?: boolean | undefined;
}

/** What a purge has reached; empty from servers of an earlier version. */
export interface PurgeAnswer {
  /** Number of pages in memory of the process that has answered. */
  readonly here?: number | undefined;
  /** Where else it purges: `store`, `edge`. */
  readonly elsewhere?: readonly string[] | undefined;
}

/** Asks the inspector of a running server, or its purge endpoint. */
export class ServerClient {
  readonly origin: string;
  readonly #path: string;
  readonly #token: string;
  readonly #host: string | undefined;
  readonly #basic: string | undefined;

  /**
   * @param path - Of the inspector.
   * @param host - For the Host header, in place of that of the origin.
   * @param basic - The Authorization of a proxy in front.
   */
  constructor(
    origin: string,
    path: string,
    token: string,
    host: string | undefined,
    basic: string | undefined,
  ) {
    this.origin = origin;
    this.#path = path;
    this.#token = token;
    this.#host = host;
    this.#basic = basic;
  }

  /** @throws SsrError `NG_SSR_SERVER_UNREACHABLE`, `NG_SSR_SERVER_ANSWER_INVALID`; all methods do. */
  async state(timeoutMs: number = TIMEOUT_MS): Promise<InspectorState> {
    const state = await this.#ask(`${this.#path}/state`, undefined, timeoutMs, NO_INSPECTOR, STATE);
    return state as InspectorState;
  }

  async explain(request: ExplainRequest): Promise<Explanation> {
    const path = `${this.#path}/explain`;
    const explanation = await this.#ask(path, request, TIMEOUT_MS, NO_INSPECTOR, EXPLANATION);
    return explanation as Explanation;
  }

  /**
   * @param endpoint - The path of `withPurgeEndpoint()`; undefined for the inspector, and if that does not purge, for the
   * default path of the endpoint.
   */
  async purge(request: PurgeRequest, endpoint: string | undefined): Promise<PurgeAnswer> {
    const inspector = `${this.#path}/purge`;
    const paths = [inspector, ...(this.#path === INSPECTOR_PATH ? [PURGE_PATH] : [])];
    const tried: AnswerOf[] = [];
    for (const path of endpoint === undefined ? paths : [endpoint]) {
      const answer = await this.#request(path, request, TIMEOUT_MS);
      tried.push(answer);
      if (!this.#mayPurgeElsewhere(answer)) break;
    }
    const missing = endpoint === undefined ? NOTHING_TO_PURGE_WITH : NO_PURGE_ENDPOINT;
    const decisive = tried.findLast(
      (answer) => isJson(answer) || this.#refusalOf(answer) !== undefined,
    );
    if (decisive !== undefined || tried.length === 1) {
      return this.#read(decisive ?? tried[0]!, missing, PURGED) as PurgeAnswer;
    }
    const asked = tried.map(({ url, status }) => `${url} responded with ${status}`).join(', ');
    throw new SsrError('NG_SSR_SERVER_ANSWER_INVALID', `${asked}: ${NOTHING_PURGES}`);
  }

  /** Whether nothing was purged because nothing purges at the address, or its token differs. */
  #mayPurgeElsewhere(answer: AnswerOf): boolean {
    const refusal = this.#refusalOf(answer);
    return !isJson(answer) && (refusal === undefined || refusal === WRONG_TOKEN);
  }

  /**
   * @param missing - What is wrong if nothing of ng-ssr is at the path.
   * @param shape - Of the answer.
   */
  async #ask(
    path: string,
    content: object | undefined,
    timeoutMs: number,
    missing: string,
    shape: Shape,
  ): Promise<unknown> {
    return this.#read(await this.#request(path, content, timeoutMs), missing, shape);
  }

  async #request(path: string, content: object | undefined, timeoutMs: number): Promise<AnswerOf> {
    const url = this.origin + path;
    const headers: Record<string, string> = {
      accept: 'application/json',
      ...this.#credentials,
    };
    if (this.#host !== undefined) headers['host'] = this.#host;
    if (content !== undefined) headers['content-type'] = 'application/json';
    const body = content === undefined ? undefined : JSON.stringify(content);
    return { url, ...(await this.#send(url, { headers, body, timeoutMs })) };
  }

  #read(answer: AnswerOf, missing: string, shape: Shape): unknown {
    const { url, status, text } = answer;
    if (isJson(answer)) return readJson(url, text, shape);
    const reason = this.#refusalOf(answer) ?? missing;
    throw new SsrError(
      'NG_SSR_SERVER_ANSWER_INVALID',
      `${url} responded with ${status}: ${reason}`,
    );
  }

  #refusalOf(answer: AnswerOf): string | undefined {
    return refusalOf(this.#host ?? new URL(answer.url).host, answer);
  }

  /** Servers before the NG-SSR-Token header know Authorization alone. */
  get #credentials(): Record<string, string> {
    return this.#basic === undefined
      ? { authorization: `Bearer ${this.#token}` }
      : { authorization: this.#basic, 'ng-ssr-token': this.#token };
  }

  async #send(url: string, sent: SentRequest): Promise<ReceivedAnswer> {
    try {
      return await send(url, sent);
    } catch (cause) {
      if (cause instanceof SsrError) throw cause;
      const message = `${url} cannot be reached: ${describeFailedConnection(cause)}`;
      throw new SsrError('NG_SSR_SERVER_UNREACHABLE', message, { cause });
    }
  }
}

function readJson(url: string, text: string, shape: Shape): unknown {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new SsrError(
      'NG_SSR_SERVER_ANSWER_INVALID',
      `${url} did not respond with JSON. Is it an ng-ssr server?`,
      { cause },
    );
  }
  const wrong = shape(value, '');
  if (wrong === undefined) return value;
  throw new SsrError(
    'NG_SSR_SERVER_ANSWER_INVALID',
    `${url} responded with unexpected JSON: ${wrong}. Use the ng-ssr command of the server's version`,
  );
}

const NO_INSPECTOR =
  'there is no inspector at this path, or it has another version. Add withInspector() to the features of the server, ' +
  'or pass its path with --inspector-path';
const NOTHING_TO_PURGE_WITH =
  'there is no inspector or purge endpoint at this path. Add withInspector() to the features of the server, or add ' +
  'withPurgeEndpoint() and pass its path with --endpoint';
const NO_PURGE_ENDPOINT =
  'there is no purge endpoint at this path. Add withPurgeEndpoint() to the features of the server, and pass its ' +
  'path with --endpoint';
const NOTHING_PURGES =
  'neither purges. Add withPurgeEndpoint() to the features of the server. If it has another path, pass --endpoint';
const WRONG_TOKEN =
  'wrong token: set NG_SSR_TOKEN, or the file of --token-file, to the token that the server has';

/** An answer, with the URL that was asked. */
interface AnswerOf extends ReceivedAnswer {
  readonly url: string;
}

function isJson({ status, headers }: ReceivedAnswer): boolean {
  return status === 200 && headers['content-type']?.startsWith('application/json') === true;
}

/** Why a server or a proxy refuses a request; undefined if nothing of ng-ssr is at its path. */
function refusalOf(host: string, { status, headers, text }: ReceivedAnswer): string | undefined {
  const said = text.trim().replace(/\s+/g, ' ').slice(0, 400);
  // RFC 9110 section 11.6.1: a proxy names its scheme.
  if (status === 401 && /^basic\b/i.test(headers['www-authenticate'] ?? '')) {
    return process.env[BASIC]
      ? `the proxy rejects the user or password in ${BASIC}`
      : `a proxy requires a user: set ${BASIC} to "user:password"`;
  }
  const isOurs = headers['cache-status']?.includes('UNAUTHORIZED') === true;
  if (status === 401 || (status === 403 && isOurs)) return WRONG_TOKEN;
  if (status >= 300 && status < 400) return `it redirects to ${headers.location}. Use that URL`;
  if (headers['cache-status']?.includes('NG_SSR_HOST_NOT_ALLOWED') === true) {
    return `the host ${host} is not in the server's allowedHosts: pass one of them with --host`;
  }
  return status === 400 || status === 503 ? said : undefined;
}
