import type { Answer, Exchange } from '../exchange.ts';
import type { ContentEncoding } from '../http/accept-encoding.ts';
import { withHeader } from '../http/header-list.ts';
import { exchangeFor } from './select.ts';
import { type Fill, fillFor } from './fill.ts';
import type { Waiter } from '../render/demand.ts';
import type { Encoder } from './encoder.ts';
import type { Rendered } from '../render/render-whole.ts';
import { readContentHead } from './content-head.ts';
import { type Encodable, encodingFor, toAnswer } from './to-answer.ts';

/** What the traits of a server's pages change in an answer that is made for one request. */
export interface TraitsOfAnswers {
  fillOf(answer: Answer): Fill | undefined;
  pass(answer: Answer, exchange: Exchange): Answer;
}

/** The last steps of an answer made for one request: preconditions, traits and encoding. */
export class PageAnswers {
  readonly #encodings: readonly ContentEncoding[];
  readonly #encoder: Encoder;
  readonly #traits: TraitsOfAnswers;

  /** @param encodings - If a client weights several equally, the first is made. */
  constructor(encodings: readonly ContentEncoding[], encoder: Encoder, traits: TraitsOfAnswers) {
    this.#encodings = encodings;
    this.#encoder = encoder;
    this.#traits = traits;
  }

  /**
   * The answer with a page that is not stored.
   *
   * @param asked - GET for HEAD: the headers are those of the content.
   * @param cacheStatus - As in {@link toAnswer}.
   */
  async of(
    { response, body }: Rendered,
    asked: Exchange,
    cacheStatus: string,
    waiter: Waiter,
  ): Promise<Answer> {
    const head = () => ({ status: response.status, headers: [...response.headers].flat() });
    const exchange = asked.client === undefined ? asked : exchangeFor(head(), asked);
    const encodable = toAnswer(response, body, exchange, cacheStatus, this.#encodings);
    const fill = this.#traits.fillOf(encodable.answer);
    const answer = await (fill === undefined
      ? this.#code(encodable, exchange, waiter)
      : this.filled(fill, encodable.answer, exchange, waiter));
    return this.#traits.pass(answer, exchange);
  }

  /** The answer of one client with a page, stored or not, that each client gets filled. */
  filled(fill: Fill, answer: Answer, asked: Exchange, waiter: Waiter): Promise<Answer> {
    const exchange = exchangeFor(answer, asked);
    const filled = fillFor(fill, answer, exchange);
    const { status, headers, body } = filled;
    if (body === null) return Promise.resolve(filled);
    const head = readContentHead(status, headers);
    const encoding = encodingFor(head, body, exchange, this.#encodings);
    const isEncoded = encoding !== undefined && encoding !== 'identity' && encoding !== 'none';
    if (!isEncoded) return Promise.resolve(filled);
    const varying = { status, headers: withHeader(headers, 'vary', head.varyEncoded), body };
    return this.#code({ answer: varying, encoding }, exchange, waiter);
  }

  async #code(
    { answer, encoding }: Encodable,
    exchange: Exchange,
    waiter: Waiter,
  ): Promise<Answer> {
    const { status, headers, body } = answer;
    if (body === null || encoding === undefined) return answer;
    const name = `${exchange.method} ${exchange.target}`;
    const encoded = await this.#encoder.code(body, encoding, name, waiter);
    if (encoded === undefined) return answer;
    const withEncoding = withHeader(headers, 'content-length', String(encoded.byteLength));
    withEncoding.push('content-encoding', encoding);
    return { status, headers: withEncoding, body: encoded };
  }
}
