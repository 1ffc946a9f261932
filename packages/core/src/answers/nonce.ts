import { randomBytes } from 'node:crypto';
import { SsrError } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { type HeaderList, withField } from '../http/header-list.ts';
import { underStatus } from './representation.ts';
import type { Rendered } from '../render/render-whole.ts';
import type { NonceOptions } from './nonce-options.ts';
import type { DocumentNonce } from '../document-nonce.ts';
import { documentNonceOf } from '../process-secret.ts';
import { noncesIn, POLICIES } from './nonces-in.ts';

/** 144 bits: Content-Security-Policy recommends at least 128. */
const NONCE_BYTES = 18;

/** The parts of a stored page into which another process puts its own nonces. */
interface SharedContent {
  readonly headers: HeaderList;
  readonly body: Uint8Array;
  /** Offsets in the body at which a nonce goes, in ascending order. */
  readonly nonceAt?: readonly number[] | undefined;
}

/**
 * Puts a new nonce into every answer in place of this process's secret: in prerendered, stored and
 * rendered pages. The placeholder is public, so other occurrences of it in a page are left as they are.
 *
 * @see https://www.w3.org/TR/CSP3/#security-nonces
 */
export class NonceFiller {
  /** The nonce with which documents are marked before pages are rendered into them. */
  readonly document: DocumentNonce;
  readonly #secret: Buffer;
  readonly #policy: string;
  readonly #places = new WeakMap<Uint8Array, readonly number[] | null>();

  constructor({ placeholder, policy }: NonceOptions) {
    this.document = documentNonceOf(placeholder);
    this.#secret = Buffer.from(this.document.secret);
    this.#policy = policy;
  }

  /** Whether a nonce goes into an answer's content or policy. */
  isIn({ headers, body }: Answer): boolean {
    if (body === null) return this.#isInPolicy(headers);
    const known = this.#places.get(body);
    if (known !== undefined) return known !== null;
    const places = placesOf(this.#secret, body);
    const isIn = places.length > 0 || this.#isInPolicy(headers);
    this.#places.set(body, isIn ? places : null);
    return isIn;
  }

  /**
   * The answer with its own nonce: `no-store`, without ranges, in identity.
   *
   * @param answer - One for which {@link isIn} is true.
   */
  fill({ status, headers, body }: Answer, exchange: Exchange): Answer {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    let fields: string[] = [];
    for (let i = 0; i < headers.length; i += 2) {
      const name = headers[i]!.toLowerCase();
      if (FIELDS_OF_BYTES.has(name)) continue;
      const value = headers[i + 1]!;
      fields.push(headers[i]!, POLICIES.includes(name) ? this.#withNonce(value, nonce) : value);
    }
    const content = body && this.#replace(body, Buffer.from(nonce));
    if (content !== null) fields = withField(fields, 'Content-Length', String(content.byteLength));
    fields = withField(fields, 'Cache-Control', 'private, no-store');
    const policy = this.#withNonce(this.#policy, nonce);
    fields = withField(fields, 'Content-Security-Policy', policy);
    const filled = { status, headers: fields, body: content };
    const sent = exchange.status !== 200 ? exchange.status : status;
    return underStatus(filled, sent, exchange.method === 'HEAD');
  }

  /**
   * Rejects a page that would be sent without its own nonce.
   *
   * @throws SsrError `NG_SSR_NONCE_UNFILLED` if a field contains the secret, if the engine has coded the
   * content, so that the secret cannot be found, and if the page has the placeholder as its nonce in
   * place of the secret.
   */
  assertFillable({ response, body }: Rendered, name: string): void {
    const { placeholder, secret } = this.document;
    for (const [field, value] of response.headers) {
      if (!POLICIES.includes(field) && value.includes(secret)) {
        throw unfilled(
          `${name}: the response field ${field} contains the nonce; only the page and its ` +
            'Content-Security-Policy may',
        );
      }
    }
    const type = response.headers.get('content-type');
    const coding = response.headers.get('content-encoding');
    if (coding !== null && !/^identity$/i.test(coding) && body.byteLength > 0) {
      const isToFill = this.#isInPolicy([...response.headers].flat());
      if (isToFill || type === null || /html/i.test(type)) {
        throw unfilled(
          `${name}: the engine sends the page coded as ${coding}, so no nonce can be put into it`,
        );
      }
    }
    const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
    if (bytes.includes(this.#secret) || !bytes.includes(placeholder)) return;
    if (!/html/i.test(type ?? '')) return;
    for (const nonce of noncesIn(bytes.toString('latin1'))) {
      if (nonce !== placeholder) continue;
      throw unfilled(
        `${name}: the page contains the placeholder of cache.nonce itself as a nonce. Render into a ` +
          'document that is marked with the nonce passed to engine.setup(), as appEngine() and commonEngine() do.',
      );
    }
  }

  /** The page for other processes: with offsets in place of this process's secret. */
  toShared<Page extends SharedContent>(page: Page): Page {
    const { secret, placeholder } = this.document;
    const places = placesOf(this.#secret, page.body);
    const headers = page.headers.map((text, at) =>
      isPolicy(page.headers, at) ? text.replaceAll(secret, placeholder) : text,
    );
    if (places.length === 0) return { ...page, headers };
    const { length } = this.#secret;
    const nonceAt = places.map((place, count) => place - count * length);
    return { ...page, headers, body: this.#replace(page.body, Buffer.alloc(0)), nonceAt };
  }

  /** The page of another process, with the secret of this one. */
  fromShared<Page extends SharedContent>(page: Page): Page {
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

  #replace(body: Uint8Array, nonce: Buffer): Uint8Array {
    const places = this.#places.get(body) ?? placesOf(this.#secret, body);
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

/** Fields about the exact bytes, and for caches. */
const FIELDS_OF_BYTES = new Set([
  'accept-ranges',
  'age',
  'cdn-cache-control',
  'content-encoding',
  'date',
  'etag',
  'expires',
  'last-modified',
]);

function placesOf(word: Buffer, body: Uint8Array): readonly number[] {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  const places: number[] = [];
  for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + word.length)) {
    places.push(at);
  }
  return places;
}
