import { AttributeNames, isTwice } from './attribute-names.ts';
import { ByteBuffer } from './byte-buffer.ts';
import { isShown } from './page-characters.ts';
import { rawTextOf } from './raw-texts.ts';
import { hasNoContent, isForeignIn, isInForm, parentOf } from './reparsed-elements.ts';
import { ReparsedShapes, type Shape } from './reparsed-shapes.ts';
import type { SelectorMatches } from './selector-matches.ts';
import { formOf, type Kind } from './tag-forms.ts';
import {
  hasOwnContent,
  isLoading,
  isRepeated,
  type NamedNode,
  nameAt,
  valueAt,
  type WrittenElement,
  type WrittenParent,
  type WrittenText,
} from './written-node.ts';

/** A page as UTF-8 with the places where critical CSS comes in. */
export interface WrittenPage {
  /** The page. Valid until the next page is written: copy what is kept. */
  readonly bytes: Uint8Array;
  /** From the first to after the last start tag of a link that loads a stylesheet or a font; -1 if none. */
  readonly linksStart: number;
  readonly linksEnd: number;
  /** Where the end tags of head and body begin; -1 without one. */
  readonly headEnd: number;
  readonly bodyEnd: number;
  /** The value of the first attribute `ngCspNonce`; empty without one. */
  readonly nonce: string;
  /** In a reparsed page: what no page that was as expected had so far. */
  readonly unverified: ReadonlySet<Shape>;
}

/** How pages are written. */
export interface WriterOptions {
  /** Gets the elements of each page. */
  readonly matches?: SelectorMatches | undefined;
  /**
   * Writes pages as Beasties does after it has parsed them: without `=""`, with `/>` at the end of foreign
   * elements that are empty, and with its mark on the root. What else may differ is in `unverified`.
   */
  readonly isReparsed?: boolean;
}

const HTML = 'http://www.w3.org/1999/xhtml';
const SVG = 'http://www.w3.org/2000/svg';
const MATHML = 'http://www.w3.org/1998/Math/MathML';
/** Elements of a reparsed page whose texts and attributes Beasties does not read. */
const UNREAD: ReadonlySet<string> = new Set(['head', 'title', 'noscript']);
const NONE: ReadonlySet<Shape> = new Set();
/** Beasties marks the part of the page that it looks at. */
const MARK = ' data-beasties-container';
/**
 * A comment that does not end where it ends here, or with a tag that programs search the page for, or that would end an
 * element around it.
 */
const AMBIGUOUS_COMMENT =
  /^-?>|--|-$|<\/?(?:link|head|body)\b|<\/(?:noscript|noembed|noframes|iframe)/i;
const QUOTE = 34;
const GREATER = 62;

/**
 * Writes documents of this DOM as UTF-8: the bytes of `document.serialize()`. Of a page with what is seldom and
 * intricate (a template's content, some tags in comments, half a surrogate pair) it writes nothing.
 */
export class DocumentWriter {
  readonly #buffer = new ByteBuffer();
  readonly #matches: SelectorMatches | undefined;
  readonly #names: AttributeNames;
  readonly #shapes: ReparsedShapes | undefined;
  /** Gets the texts of the page; undefined in elements whose texts do not count. */
  #characters: SelectorMatches | undefined;
  #isPlain = true;
  #nonce: string | undefined;
  /** Whether the program that parses the page writes the parent's children as those of SVG and MathML. */
  #isForeign = false;
  #linksStart = -1;
  #linksEnd = -1;
  #headEnd = -1;
  #bodyEnd = -1;

  constructor({ matches, isReparsed = false }: WriterOptions = {}) {
    this.#matches = matches;
    this.#names = new AttributeNames(isReparsed);
    this.#shapes = isReparsed ? new ReparsedShapes() : undefined;
  }

  /** @returns undefined for a page that has to be serialized as a string. */
  write(document: object): WrittenPage | undefined {
    const buffer = this.#buffer;
    buffer.clear();
    this.#matches?.clear();
    this.#characters = this.#matches?.hasCharacters === true ? this.#matches : undefined;
    this.#shapes?.clear();
    this.#isPlain = true;
    this.#nonce = undefined;
    this.#isForeign = false;
    this.#linksStart = this.#linksEnd = this.#headEnd = this.#bodyEnd = -1;
    this.#children(document as WrittenParent);
    if (!this.#isPlain || buffer.hasLoneSurrogate) return undefined;
    return {
      bytes: buffer.bytes.subarray(0, buffer.length),
      linksStart: this.#linksStart,
      linksEnd: this.#linksEnd,
      headEnd: this.#headEnd,
      bodyEnd: this.#bodyEnd,
      nonce: this.#nonce ?? '',
      unverified: this.#shapes?.unverified() ?? NONE,
    };
  }

  #children({ firstChild }: WrittenParent): void {
    for (let node = firstChild; node !== null; node = node.nextSibling) {
      const { nodeType } = node;
      if (nodeType === 1) this.#element(node as WrittenElement);
      else if (nodeType === 3) this.#text((node as WrittenText)._data);
      else if (nodeType === 8) this.#comment((node as WrittenText)._data);
      else if (nodeType === 10) this.#buffer.plain(`<!DOCTYPE ${(node as NamedNode).name}>`);
      else this.#isPlain = false;
      if (!this.#isPlain) return;
    }
  }

  #text(text: string): void {
    this.#characters?.noteText(text);
    this.#buffer.escaped(text, false);
  }

  #element(element: WrittenElement): void {
    const mayBeUnread = this.#characters !== undefined && this.#shapes !== undefined;
    if (mayBeUnread && UNREAD.has(element.localName)) {
      this.#withoutCharacters(() => this.#writeElement(element));
    } else this.#writeElement(element);
  }

  #withoutCharacters(write: () => void): void {
    const characters = this.#characters;
    this.#characters = undefined;
    write();
    this.#characters = characters;
  }

  #writeElement(element: WrittenElement): void {
    const { namespaceURI, localName, _attrs: attrs, _rare: rare } = element;
    const isHtml = namespaceURI === HTML;
    const form = formOf(localName);
    const { kind } = form;
    const isKnown = isHtml
      ? kind !== 'other'
      : (namespaceURI === SVG || namespaceURI === MATHML) &&
        // Angular takes the end tag of a foreign `source` for that of its parent.
        ((kind === 'plain' && !form.isVoid) || localName === 'title');
    if (!isKnown || (rare !== null && hasOwnContent(rare))) {
      this.#isPlain = false;
      return;
    }
    const buffer = this.#buffer;
    const start = buffer.length;
    let isContainer = false;
    const shapes = this.#shapes;
    const wasForeign = this.#isForeign;
    const parent = shapes === undefined ? '' : parentOf(element);
    if (shapes !== undefined) this.#isForeign = isForeignIn(parent, wasForeign, localName);
    // The document and a parser of the page take it for something else.
    const isMixed = shapes !== undefined && this.#isForeign === isHtml;
    if (
      shapes !== undefined &&
      ((isMixed && kind !== 'plain') || this.#isOverlooked(element, kind))
    ) {
      this.#isPlain = false;
      return;
    }
    buffer.add(form.start);
    if (attrs !== null) this.#attributes(attrs, isHtml, kind, isMixed);
    if (shapes !== undefined) {
      isContainer = parent === '' && localName === 'html';
      if (isContainer) buffer.plain(MARK);
      const isEmpty = (!isHtml || isMixed) && hasNoContent(element);
      // No name has a space or a slash.
      const mark = isHtml && !isMixed ? '' : isEmpty ? '/' : ' ';
      shapes.element(parent, `${isMixed ? '!' : ''}${mark}${localName}`);
      if (isEmpty && !isHtml) {
        this.#isForeign = wasForeign;
        buffer.plain('/>');
        this.#matches?.note(element);
        return;
      }
    }
    buffer.byte(GREATER);
    if (isContainer) this.#matches?.noteContainer(element);
    else this.#matches?.note(element);
    if (kind === 'link') this.#link(attrs, start);
    if (isHtml && form.isVoid) {
      this.#isForeign = wasForeign;
      return;
    }
    if (kind === 'plain') this.#children(element);
    else this.#content(element, kind);
    if (kind === 'head') this.#headEnd = this.#once(this.#headEnd);
    else if (kind === 'body') this.#bodyEnd = this.#once(this.#bodyEnd);
    buffer.add(form.end);
    this.#isForeign = wasForeign;
  }

  /** Whether Beasties does not find the element: its parser drops a form in a form, and it lists no names of raw texts. */
  #isOverlooked(element: WrittenElement, kind: Kind): boolean {
    if (kind === 'raw') return this.#matches?.asksAboutNames(element) === true;
    return element.localName === 'form' && isInForm(element);
  }

  #attributes(
    attrs: NonNullable<WrittenElement['_attrs']>,
    isHtml: boolean,
    kind: Kind,
    isMixed: boolean,
  ): void {
    const buffer = this.#buffer;
    const shapes = this.#shapes;
    // Beasties' parser has other types for these elements.
    const characters = shapes !== undefined && kind === 'raw' ? undefined : this.#characters;
    for (let i = 0; i < attrs.length; i += 2) {
      const written = nameAt(attrs, i);
      const name = this.#names.of(written, isHtml);
      if (name === undefined || (name.read !== written && isTwice(attrs, name.read))) {
        this.#isPlain = false;
        return;
      }
      const { bytes, read } = name;
      const value = valueAt(attrs, i + 1);
      if (characters !== undefined && isShown(read)) characters.noteText(value);
      if (shapes !== undefined) {
        // A class list with other spaces than U+0020 is split in two ways, and an id is compared with its spaces too.
        const odd = read === 'class' ? /[^\S ]/ : read === 'id' ? /^\s|\s$/ : undefined;
        if (/^\d/.test(read) || odd?.test(value) === true) this.#isPlain = false;
        else if (/^ngcspnonce$/i.test(read)) this.#nonce ??= value;
        shapes.attribute(isMixed ? `!${value === '' ? '/' : ' '}${name.form}` : name.form);
        if (value === '' && isHtml) {
          buffer.add(bytes.subarray(0, -2));
          continue;
        }
      }
      buffer.add(bytes);
      if (value !== '') buffer.escaped(value, true);
      buffer.byte(QUOTE);
    }
  }

  #link(attrs: WrittenElement['_attrs'], start: number): void {
    if (!isLoading(attrs)) return;
    if (this.#linksStart < 0) this.#linksStart = start;
    this.#linksEnd = this.#buffer.length;
  }

  /** Content that is not written as that of other elements. */
  #content(element: WrittenElement, kind: string): void {
    if (kind === 'head' || kind === 'body' || kind === 'link') {
      this.#children(element);
      return;
    }
    for (let node = element.firstChild; node !== null; node = node.nextSibling) {
      if (kind === 'fallback') {
        const isText = node.nodeType === 3;
        if (isText ? (node as WrittenText)._data.includes('<!--') : node.nodeType === 8) {
          this.#isPlain = false;
        }
      } else if (node.nodeType !== 3) this.#isPlain = false;
      else if (kind === 'raw') this.#raw((node as WrittenText)._data, isRepeated(element));
    }
    if (kind === 'raw') return;
    if (element.localName === 'title') this.#withoutCharacters(() => this.#children(element));
    else this.#children(element);
  }

  #raw(text: string, isRepeated: boolean): void {
    const { bytes, isAmbiguous } = rawTextOf(text, isRepeated);
    if (isAmbiguous) this.#isPlain = false;
    if (this.#shapes !== undefined) this.#characters?.noteRaw(text);
    this.#buffer.add(bytes);
  }

  #comment(text: string): void {
    const buffer = this.#buffer;
    if (AMBIGUOUS_COMMENT.test(text)) {
      this.#isPlain = false;
      return;
    }
    buffer.plain('<!--');
    buffer.plain(text);
    buffer.plain('-->');
  }

  /** The place of an end tag of which a page has one. */
  #once(before: number): number {
    if (before >= 0) this.#isPlain = false;
    return this.#buffer.length;
  }
}
