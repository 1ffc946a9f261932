import { randomBytes } from 'node:crypto';
import type { Fill } from '../../answers/fill.ts';
import type { DocumentNonce } from '../../document-nonce.ts';
import { SsrError } from '../../errors.ts';
import type { Answer } from '../../exchange.ts';
import { type HeaderList, withHeader } from '../../http/header-list.ts';
import { documentNonceOf } from '../../process-secret.ts';
import type { Reason } from '../../pages/policy/may-store.ts';
import { hasNonce, noncesIn, POLICIES } from '../../pages/policy/nonces-in.ts';
import type { StoredPage } from '../../pages/stored-page.ts';
import type { PageTrait, RenderedPage } from '../../pages/traits/page-trait.ts';
import type { NonceOptions } from './nonce-options.ts';

/** 144 bits: Content-Security-Policy recommends at least 128. */
const NONCE_BYTES = 18;

/**
 * Puts a new nonce into every answer in place of this process's secret: in prerendered, stored and
 * rendered pages. The placeholder is public, so other occurrences of it in a page are left as they are.
 *
 * @see https://www.w3.org/TR/CSP3/#security-nonces
 */
export class NonceFiller implements PageTrait {
  /** The nonce with which documents are marked before pages are rendered into them. */
  readonly document: DocumentNonce;
  readonly #secret: Buffer;
  readonly #policy: string;

  constructor({ placeholder, policy }: NonceOptions) {
    this.document = documentNonceOf(placeholder);
    this.#secret = Buffer.from(this.document.secret);
    this.#policy = policy;
  }

  /** An answer with a nonce in its content or policy gets one of its own. */
  fillOf({ headers, body }: Answer): Fill | undefined {
    const places = body === null ? [] : placesOf(this.#secret, body);
    if (places.length === 0 && !this.#isInPolicy(headers)) return undefined;
    return (answer) => this.#fill(answer, places);
  }

  /**
   * Rejects a page that would be sent without its own nonce.
   *
   * @throws SsrError `NG_SSR_NONCE_UNFILLED` if a header contains the secret, if the engine has encoded the
   * content, so that the secret cannot be found, and if the page has the placeholder as its nonce in
   * place of the secret.
   */
  check({ response, body }: RenderedPage, name: string): void {
    const { placeholder, secret } = this.document;
    for (const [header, value] of response.headers) {
      if (!POLICIES.includes(header) && value.includes(secret)) {
        throw unfilled(
          `${name}: the response header ${header} contains the nonce; only the page and its ` +
            'Content-Security-Policy may',
        );
      }
    }
    const type = response.headers.get('content-type');
    const encoding = response.headers.get('content-encoding');
    if (encoding !== null && !/^identity$/i.test(encoding) && body.byteLength > 0) {
      const isToFill = this.#isInPolicy([...response.headers].flat());
      if (isToFill || type === null || /html/i.test(type)) {
        throw unfilled(
          `${name}: the engine sends the page encoded as ${encoding}, so the nonce cannot be inserted`,
        );
      }
    }
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    if (bytes.includes(this.#secret) || !bytes.includes(placeholder)) return;
    if (!/html/i.test(type ?? '')) return;
    for (const nonce of noncesIn(bytes.toString('latin1'))) {
      if (nonce !== placeholder) continue;
      throw unfilled(
        `${name}: the page contains the placeholder of withNonce() itself as a nonce. Render into a ` +
          'document that is marked with the nonce passed to engine.setup(), as appEngine() and commonEngine() do.',
      );
    }
  }

  /** A page with a nonce that this process does not fill was made for one answer. */
  refuse(rendered: RenderedPage): Reason | undefined {
    return hasNonce(rendered, this.document) ? 'nonce' : undefined;
  }

  /** The page for other processes: with offsets in place of this process's secret. */
  toStored(page: StoredPage): StoredPage {
    const { secret, placeholder } = this.document;
    const places = placesOf(this.#secret, page.body);
    const headers = page.headers.map((text, at) =>
      isPolicy(page.headers, at) ? text.replaceAll(secret, placeholder) : text,
    );
    if (places.length === 0) return { ...page, headers };
    const { length } = this.#secret;
    const nonceAt = places.map((place, count) => place - count * length);
    const body = this.#replace(page.body, places, Buffer.alloc(0));
    return { ...page, headers, body, nonceAt };
  }

  /** The page of another process, with the secret of this one. */
  fromStored(page: StoredPage): StoredPage {
    const { nonceAt } = page;
    if (nonceAt === undefined) return page;
    const parts: Uint8Array[] = [];
    let from = 0;
    for (const at of nonceAt) {
      parts.push(page.body.subarray(from, at), this.#secret);
      from = at;
    }
    const body = Buffer.concat([...parts, page.body.subarray(from)]);
    return { ...page, body, nonceAt: undefined };
  }

  #fill({ status, headers, body }: Answer, places: readonly number[]): Answer {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const filled = headers.map((text, at) =>
      isPolicy(headers, at) ? this.#withNonce(text, nonce) : text,
    );
    const policy = this.#withNonce(this.#policy, nonce);
    return {
      status,
      headers: withHeader(filled, 'Content-Security-Policy', policy),
      body: body && this.#replace(body, places, Buffer.from(nonce)),
    };
  }

  #isInPolicy(headers: HeaderList): boolean {
    const { placeholder, secret } = this.document;
    return headers.some(
      (text, at) =>
        isPolicy(headers, at) && (text.includes(`'nonce-${placeholder}'`) || text.includes(secret)),
    );
  }

  #withNonce(policy: string, nonce: string): string {
    const { placeholder, secret } = this.document;
    return policy
      .replaceAll(secret, nonce)
      .replaceAll(`'nonce-${placeholder}'`, `'nonce-${nonce}'`);
  }

  #replace(body: Uint8Array, places: readonly number[], nonce: Buffer): Uint8Array {
    const { length } = this.#secret;
    const filled = Buffer.allocUnsafe(body.length + places.length * (nonce.length - length));
    let from = 0;
    let to = 0;
    for (const place of places) {
      filled.set(body.subarray(from, place), to);
      to += place - from;
      filled.set(nonce, to);
      to += nonce.length;
      from = place + length;
    }
    filled.set(body.subarray(from), to);
    return filled;
  }
}

function unfilled(message: string): SsrError {
  return new SsrError('NG_SSR_NONCE_UNFILLED', message);
}

function isPolicy(headers: HeaderList, at: number): boolean {
  return at % 2 === 1 && POLICIES.includes(headers[at - 1]!.toLowerCase());
}

function placesOf(word: Buffer, body: Uint8Array): readonly number[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const places: number[] = [];
  for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + word.length)) {
    places.push(at);
  }
  return places;
}
