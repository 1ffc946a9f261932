import { randomBytes } from 'node:crypto';
import type { Answer, Exchange } from '../exchange.ts';
import { valueOf, withField } from '../http/header-list.ts';
import type { Rendered } from '../render/render-whole.ts';
import type { NonceOptions } from './cache-options.ts';

/** 128 bits, as Content-Security-Policy asks for at least. */
const NONCE_BYTES = 18;

/**
 * Puts a nonce of its own into every answer, in the placeholder's place: prerendered, stored and
 * rendered pages alike.
 *
 * @see https://www.w3.org/TR/CSP3/#security-nonces
 */
export class NonceFiller {
  readonly #placeholder: Buffer;
  readonly #policy: string;
  readonly #places = new WeakMap<Uint8Array, readonly number[]>();

  constructor({ placeholder, policy }: NonceOptions) {
    this.#placeholder = Buffer.from(placeholder);
    this.#policy = policy;
  }

  /** Whether an answer's content is a page with the placeholder in it. */
  isIn({ headers, body }: Answer): boolean {
    if (body === null || !valueOf(headers, 'content-type')?.startsWith('text/html')) return false;
    return this.#placesIn(body).length > 0;
  }

  /**
   * The answer with a nonce of its own: never stored by anybody, never a 304 or a part, in identity.
   *
   * @param answer - One that {@link isIn} is true for.
   */
  fill({ status, headers, body }: Answer, exchange: Exchange): Answer {
    const nonce = randomBytes(NONCE_BYTES).toString('base64');
    const policy = this.#policy.replaceAll(this.#placeholder.toString(), nonce);
    let fields: string[] = [];
    for (let i = 0; i < headers.length; i += 2) {
      if (!FIELDS_OF_BYTES.has(headers[i]!.toLowerCase())) {
        fields.push(headers[i]!, headers[i + 1]!);
      }
    }
    const content = this.#replace(body!, Buffer.from(nonce));
    fields = withField(fields, 'Content-Length', String(content.byteLength));
    fields = withField(fields, 'Cache-Control', 'private, no-store');
    fields = withField(fields, 'Content-Security-Policy', policy);
    return {
      status: exchange.status !== 200 ? exchange.status : status,
      headers: fields,
      body: exchange.method === 'HEAD' ? null : content,
    };
  }

  #placesIn(body: Uint8Array): readonly number[] {
    let places = this.#places.get(body);
    if (places === undefined) {
      places = placesOf(this.#placeholder, Buffer.from(body.buffer, body.byteOffset, body.length));
      this.#places.set(body, places);
    }
    return places;
  }

  #replace(body: Uint8Array, nonce: Buffer): Uint8Array {
    const places = this.#placesIn(body);
    const { length } = this.#placeholder;
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

/** Fields about the very bytes, and for whoever would store them. */
const FIELDS_OF_BYTES = new Set([
  'accept-ranges',
  'age',
  'cdn-cache-control',
  'content-encoding',
  'etag',
  'expires',
  'last-modified',
]);

/** The attribute, and Angular's own, in the ways HTML can be written. */
const ATTRIBUTE = /[\s"'/](?:ngcsp)?nonce\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+))/gi;
const SOURCE = /'nonce-([^']*)'/gi;
const POLICIES = ['content-security-policy', 'content-security-policy-report-only'];
/** Tags are shorter in front of it. */
const MOST_OF_TAG = 1000;

/**
 * Whether a page or its policy carries a nonce other than the placeholder: it was made for one
 * answer alone.
 */
export function hasNonce({ response, body }: Rendered, placeholder: string | undefined): boolean {
  const text = Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString('latin1');
  for (const { 1: double, 2: single, 3: bare, index } of text.matchAll(ATTRIBUTE)) {
    // Scripts assign variables of this name; they do so without quotes.
    if (bare !== undefined && !isInTag(text.slice(Math.max(0, index - MOST_OF_TAG), index)))
      continue;
    if ((double ?? single ?? bare) !== placeholder) return true;
  }
  const policies = POLICIES.map((name) => response.headers.get(name) ?? '').join();
  return [...policies.matchAll(SOURCE)].some(([, nonce]) => nonce !== placeholder);
}

function isInTag(before: string): boolean {
  const open = before.lastIndexOf('<');
  return open > before.lastIndexOf('>') && /^<[a-z]/i.test(before.slice(open, open + 2));
}

function placesOf(word: Buffer, bytes: Buffer): readonly number[] {
  const places: number[] = [];
  for (let at = bytes.indexOf(word); at !== -1; at = bytes.indexOf(word, at + word.length)) {
    places.push(at);
  }
  return places;
}
