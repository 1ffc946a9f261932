import type { Answer, Exchange } from '../exchange.ts';
import type { ContentCoding } from '../http/accept-encoding.ts';
import { withField } from '../http/header-list.ts';
import type { NonceFiller } from './nonce.ts';
import type { Waiter } from '../render/demand.ts';
import type { Coder } from './coder.ts';
import type { Rendered } from '../render/render-whole.ts';
import { readContentHead } from './content-head.ts';
import { type Codable, codingFor, toAnswer } from './to-answer.ts';

/** The last steps of an answer made for one request: preconditions, nonce and coding. */
export class PageAnswers {
  readonly #encodings: readonly ContentCoding[];
  readonly #coder: Coder;
  readonly #nonce: NonceFiller | undefined;

  /** @param encodings - If a client weights several equally, the first is made. */
  constructor(encodings: readonly ContentCoding[], coder: Coder, nonce: NonceFiller | undefined) {
    this.#encodings = encodings;
    this.#coder = coder;
    this.#nonce = nonce;
  }

  /**
   * The answer with a page that is not stored.
   *
   * @param exchange - GET for HEAD: the fields are those of the content.
   * @param cacheStatus - As in {@link toAnswer}.
   */
  of(
    { response, body }: Rendered,
    exchange: Exchange,
    cacheStatus: string,
    waiter: Waiter,
  ): Promise<Answer> {
    const codable = toAnswer(response, body, exchange, cacheStatus, this.#encodings);
    return this.#nonce?.isIn(codable.answer) === true
      ? this.withNonce(codable.answer, exchange, waiter)
      : this.#code(codable, exchange, waiter);
  }

  /** The answer with a page, stored or not, into which a nonce goes: see {@link NonceFiller}. */
  withNonce(answer: Answer, exchange: Exchange, waiter: Waiter): Promise<Answer> {
    const filled = this.#nonce?.fill(answer, exchange) ?? answer;
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
