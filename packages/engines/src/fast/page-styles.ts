import {
  DocumentWriter,
  SelectorMatches,
  type Selectors,
  type SsrDocument,
  type WrittenPage,
} from '@ng-ssr/dom';
import { type Internal, reportMissing } from '../angular-internals.ts';
import { readSelectors } from './compact-plans.ts';
import { CriticalCss, linksOf } from './critical-css.ts';

/** Inlines critical CSS as Angular does. */
export type InlineCss = (
  html: string,
  url: string,
) => string | Promise<string | Uint8Array<ArrayBuffer>>;

/** A serialized page: its bytes, or how to get them. */
export type Draft = Uint8Array<ArrayBuffer> | (() => Promise<Uint8Array<ArrayBuffer>>);

const encoder = new TextEncoder();
/**
 * The one character that is longer in lower case, as UTF-8. Angular takes positions in the page from its lower case, and
 * misreads the classes that follow the character.
 */
const LENGTHENED = Buffer.from('\u0130');
const PLANS: Internal = 'AngularServerApp#manifest.criticalCssPlans';

/** How pages of an application get critical CSS. */
export interface StyleOptions {
  /** The build's plans of critical CSS. */
  readonly plans?: readonly unknown[] | undefined;
  /** Angular's own way; undefined for pages without critical CSS. */
  readonly inline?: InlineCss | undefined;
  /** Of an `inline` that parses pages and writes them again, as CommonEngine's does. */
  readonly reparsed?: Reparsed | undefined;
}

/** What a program asks of a page that it parses. */
export interface Reparsed {
  /** @returns undefined if it asks more than selectors say. */
  ask(selectors: Selectors): Selectors | undefined;
  /** Whether the stylesheets of these links are those with plans. */
  isPlanned(links: string): boolean;
}

/** Writes pages with their critical CSS. One per application: its stylesheets are those of the build. */
export class PageStyles {
  readonly #writer: DocumentWriter;
  readonly #matches: SelectorMatches | undefined;
  readonly #critical = new CriticalCss();
  readonly #inline: InlineCss | undefined;
  readonly #reparsed: Reparsed | undefined;

  constructor({ plans = [], inline, reparsed }: StyleOptions = {}) {
    const selectors = plans.length === 0 ? undefined : readSelectors(plans);
    if (plans.length > 0 && selectors === undefined) reportMissing(PLANS);
    const asked = selectors && reparsed ? reparsed.ask(selectors) : selectors;
    this.#matches = asked && new SelectorMatches(asked);
    this.#reparsed = asked && reparsed;
    const isReparsed = this.#reparsed !== undefined;
    this.#writer = new DocumentWriter({ matches: this.#matches, isReparsed });
    this.#inline = inline;
  }

  /**
   * Serializes a page.
   *
   * @param serialize - The document's own method.
   * @param url - That of the page.
   */
  draft(document: SsrDocument, serialize: () => string, url: string): Draft {
    const page = this.#write(document);
    if (this.#inline === undefined) {
      return page === undefined ? encoder.encode(serialize()) : new Uint8Array(page.bytes);
    }
    const toHtml = (): string =>
      page === undefined || this.#reparsed ? serialize() : toText(page);
    if (page === undefined || this.#matches === undefined || this.#isMisread(page)) {
      return this.#inlined(toHtml(), url);
    }
    const key = `${this.#matches.key()} ${page.nonce}`;
    const known = page.unverified.size === 0 ? this.#critical.apply(page, key) : undefined;
    if (known !== undefined) return known;
    // Of a Buffer, `slice` would be a view, which the next page is written over.
    const kept = { ...page, bytes: new Uint8Array(page.bytes) };
    return this.#inlined(toHtml(), url, (changed) => {
      if (this.#reparsed?.isPlanned(linksOf(kept)) === false) return;
      if (!this.#critical.learn(kept, key, changed)) return;
      for (const shape of kept.unverified) shape.isVerified = true;
    });
  }

  #write(document: SsrDocument): WrittenPage | undefined {
    try {
      return this.#writer.write(document);
    } catch (error) {
      // Of elements in one another, the document's own method needs less of the stack.
      if (error instanceof RangeError) return undefined;
      throw error;
    }
  }

  /** Whether what Angular finds in the page depends on more than the selectors that match. */
  #isMisread({ bytes }: WrittenPage): boolean {
    return !this.#reparsed && toBuffer(bytes).includes(LENGTHENED);
  }

  #inlined(html: string, url: string, learn?: (changed: string) => void): Draft {
    return async () => {
      const changed = await this.#inline!(html, url);
      if (typeof changed !== 'string') return changed;
      learn?.(changed);
      return encoder.encode(changed);
    };
  }
}

function toText({ bytes }: WrittenPage): string {
  return toBuffer(bytes).toString();
}

function toBuffer(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
