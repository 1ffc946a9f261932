import { type ContentHead, readContentHead } from '../../answers/content-head.ts';
import type { NegotiableEncoding } from '../../http/accept-encoding.ts';
import { keptPrivate } from '../../http/edge-headers.ts';
import { addVary, type HeaderList, valueOf, withHeader } from '../../http/header-list.ts';

/** Headers about the exact bytes. */
const OF_BYTES: ReadonlySet<string> = new Set([
  ...['content-length', 'content-digest', 'date', 'repr-digest'],
]);

/** What is made of the headers of a page, once for each list: a cached page has the same one for a second. */
export class CompletedHead {
  readonly page: ContentHead;
  readonly #headers: HeaderList;
  readonly #isEncodable: boolean;
  readonly #completed = new Map<NegotiableEncoding, readonly string[]>();

  /** @param isEncodable - Whether the server encodes pages with slots. */
  constructor(status: number, headers: HeaderList, isEncodable: boolean) {
    this.page = readContentHead(status, headers);
    this.#headers = headers;
    this.#isEncodable = isEncodable;
  }

  /** The headers of the page with slots. */
  headers(encoding: NegotiableEncoding, lengthBytes: number | undefined): readonly string[] {
    let completed = this.#completed.get(encoding);
    if (completed === undefined) this.#completed.set(encoding, (completed = this.#make(encoding)));
    const isKnown = lengthBytes !== undefined;
    return isKnown ? [...completed, 'Content-Length', String(lengthBytes)] : [...completed];
  }

  #make(encoding: NegotiableEncoding): readonly string[] {
    const headers = this.#headers;
    const kept = headers.filter((_text, at) => !OF_BYTES.has(headers[at & ~1]!.toLowerCase()));
    if (encoding !== 'identity') kept.push('Content-Encoding', encoding);
    // nginx would hold the page back until its buffer is full.
    kept.push('X-Accel-Buffering', 'no');
    if (!this.#isEncodable) return keptPrivate(kept);
    const vary = addVary(valueOf(headers, 'vary'), 'Accept-Encoding');
    return keptPrivate(withHeader(kept, 'Vary', vary));
  }
}
