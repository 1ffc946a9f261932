import type { Answer, Exchange } from '../exchange.ts';
import type { ContentCoding } from '../http/accept-encoding.ts';
import { withField } from '../http/header-list.ts';
import { type Fill, fillFor } from './fill.ts';
import type { Waiter } from '../render/demand.ts';
import type { Coder } from './coder.ts';
import type { Rendered } from '../render/render-whole.ts';
import { readContentHead } from './content-head.ts';
import { type Codable, codingFor, toAnswer } from './to-answer.ts';

/** What the traits of a server's pages change in an answer that is made for one request. */
export interface TraitsOfAnswers {
  fillOf(answer: Answer): Fill | undefined;
  pass(answer: Answer, exchange: Exchange): Answer;
}

/** The last steps of an answer made for one request: preconditions, traits and coding. */
export class PageAnswers {
  readonly #encodings: readonly ContentCoding[];
  readonly #coder: Coder;
  readonly #traits: TraitsOfAnswers;

  /** @param encodings - If a client weights several equally, the first is made. */
  constructor(encodings: readonly ContentCoding[], coder: Coder, traits: TraitsOfAnswers) {
    this.#encodings = encodings;
    this.#coder = coder;
    this.#traits = traits;
  }

  /**
   * The answer with a page that is not stored.
   *
   * @param exchange - GET for HEAD: the fields are those of the content.
   * @param cacheStatus - As in {@link toAnswer}.
   */
  async of(
    { response, body }: Rendered,
    exchange: Exchange,
    cacheStatus: string,
    waiter: Waiter,
  ): Promise<Answer> {
    const codable = toAnswer(response, body, exchange, cacheStatus, this.#encodings);
    const fill = this.#traits.fillOf(codable.answer);
    const answer = await (fill === undefined
      ? this.#code(codable, exchange, waiter)
      : this.filled(fill, codable.answer, exchange, waiter));
    return this.#traits.pass(answer, exchange);
  }

  /** The answer of one client with a page, stored or not, that each client gets filled. */
  filled(fill: Fill, answer: Answer, exchange: Exchange, waiter: Waiter): Promise<Answer> {
    const filled = fillFor(fill, answer, exchange);
    const { status, headers, body } = filled;
    if (body === null) return Promise.resolve(filled);
    const head = readContentHead(status, headers);
    const coding = codingFor(head, body, exchange, this.#encodings);
    const isCoded = coding !== undefined && coding !== 'identity' && coding !== 'none';
    if (!isCoded) return Promise.resolve(filled);
    const varying = { status, headers: withField(headers, 'vary', head.varyCoded), body };
    return this.#code({ answer: varying, coding }, exchange, waiter);
  }

  async #code({ answer, coding }: Codable, exchange: Exchange, waiter: Waiter): Promise<Answer> {
    const { status, headers, body } = answer;
    if (body === null || coding === undefined) return answer;
    const name = `${exchange.method} ${exchange.target}`;
    const coded = await this.#coder.code(body, coding, name, waiter);
    if (coded === undefined) return answer;
    const fields = withField(headers, 'content-length', String(coded.byteLength));
    fields.push('content-encoding', coding);
    return { status, headers: fields, body: coded };
  }
}
