import type { ContentEncoding, NegotiableEncoding } from '../../http/accept-encoding.ts';
import { joined, openContent, type OpenContent, unencoded } from './open-encoding.ts';
import { type PageParts, splitPage } from './page-parts.ts';

/** A page to which slots can be added, in one encoding. */
export interface OpenPage {
  readonly encoding: NegotiableEncoding;
  readonly start: OpenContent;
  /** The script that follows the HTML of islands, if the page has both. */
  readonly script: Uint8Array | undefined;
  readonly end: Uint8Array;
}

/** Pages encoded at a time. libuv has four threads, and other work is for them too. */
const MOST_ENCODING = 2;

interface Forms {
  readonly parts: PageParts;
  readonly encoded: Map<ContentEncoding, Promise<OpenContent | undefined>>;
  /** Those that are made. */
  readonly open: Map<NegotiableEncoding, OpenPage>;
}

/** The open forms of pages: made once for each page that is held, and as long as it is held. */
export class OpenPages {
  readonly #forms = new WeakMap<Uint8Array, Forms>();
  readonly #onError: (cause: unknown, encoding: ContentEncoding) => void;
  readonly #islands: readonly string[];
  #encoding = 0;

  /** @param islands - The names of slots that have HTML. */
  constructor(
    onError: (cause: unknown, encoding: ContentEncoding) => void,
    islands: readonly string[] = [],
  ) {
    this.#onError = onError;
    this.#islands = islands;
  }

  /** How many hosts the islands of a page have, by their slots. */
  islandsOf(html: Uint8Array): ReadonlyMap<string, number> {
    return this.#formsOf(html).parts.islands;
  }

  /** The page in an encoding, or unencoded under load, or if that cannot be made: synchronously, if it has been made. */
  open(html: Uint8Array, encoding: NegotiableEncoding): OpenPage | Promise<OpenPage> {
    const forms = this.#formsOf(html);
    return forms.open.get(encoding) ?? this.#make(forms, encoding);
  }

  /** Never rejects. */
  async #make(forms: Forms, encoding: NegotiableEncoding): Promise<OpenPage> {
    const encoded = encoding === 'identity' ? undefined : await this.#encoded(forms, encoding);
    if (encoded !== undefined) return keep(forms, encoding, encoded);
    const identity = forms.open.get('identity');
    return identity ?? keep(forms, 'identity', unencoded(joined(forms.parts.start)));
  }

  #formsOf(html: Uint8Array): Forms {
    let forms = this.#forms.get(html);
    if (forms === undefined) {
      forms = { parts: splitPage(html, this.#islands), encoded: new Map(), open: new Map() };
      this.#forms.set(html, forms);
    }
    return forms;
  }

  #encoded(
    { parts, encoded }: Forms,
    encoding: ContentEncoding,
  ): Promise<OpenContent | undefined> | undefined {
    const made = encoded.get(encoding);
    if (made !== undefined) return made;
    const content = this.#open(joined(parts.start), encoding);
    if (content !== undefined) encoded.set(encoding, content);
    return content;
  }

  /** Undefined at once under load. */
  #open(
    content: Uint8Array,
    encoding: ContentEncoding,
  ): Promise<OpenContent | undefined> | undefined {
    if (this.#encoding >= MOST_ENCODING) return undefined;
    this.#encoding++;
    return openContent(content, encoding)
      .catch((cause: unknown) => void this.#onError(cause, encoding))
      .finally(() => this.#encoding--);
  }
}

function keep({ parts, open }: Forms, encoding: NegotiableEncoding, start: OpenContent): OpenPage {
  const page = { encoding, start, script: parts.script, end: parts.end };
  open.set(encoding, page);
  return page;
}
