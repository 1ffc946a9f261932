import { cloneChildren } from '../clone.ts';
import { copyAngularChildren, type AngularNode } from '../copy.ts';
import { appendRaw, documentOf } from '../link.ts';

import type { TreeDom, TreeElement, TreeParent } from '../shapes.ts';
import { unsupported } from '../unsupported.ts';
import { contextKey, isPlainText } from './context.ts';
import { FragmentCache, type ParsedFragment } from './fragment-cache.ts';
import { addHandlers, hasHandlers } from './handlers.ts';

/** The most memory for parsed fragments that are kept, in bytes. */
const MAX_CACHE_BYTES = 8 * 1024 * 1024;

interface Parser {
  parse(text: string, isEnd: boolean): void;
  document(): AngularNode;
}

type ParserClass = new (address: undefined, context: object) => Parser;

/**
 * Parses the content of elements with Angular's own parser, which reads our element as its context, and keeps the
 * nodes for the next use of the same text in the same kind of element. The parser's document is dropped: neither
 * does a script run nor does a document outlive the call.
 */
export class Fragments {
  readonly #dom: TreeDom;
  readonly #Parser: ParserClass;
  readonly #cache: FragmentCache;

  constructor(dom: TreeDom, maxCacheBytes: number = MAX_CACHE_BYTES) {
    this.#dom = dom;
    this.#Parser = dom.classes['HTMLParser'] as ParserClass;
    this.#cache = new FragmentCache(maxCacheBytes);
  }

  /** Appends to `target` what the text is as the content of `context`. */
  append(target: TreeParent, text: string, context: TreeElement): void {
    try {
      this.#append(target, text, context);
    } catch (error) {
      // Angular's nodes are not copied, so that the stack does not bound their depth.
      if (error instanceof RangeError) {
        throw unsupported(documentOf(target), 'room for this depth');
      }
      throw error;
    }
  }

  #append(target: TreeParent, text: string, context: TreeElement): void {
    const document = documentOf(target);
    if (isPlainText(text, context)) {
      if (text !== '') appendRaw(target, this.#dom.createText(document, text));
      return;
    }
    const key = `${contextKey(context)}\n${text}`;
    let parsed = this.#cache.get(key);
    if (parsed === undefined) {
      parsed = this.#parse(text, context);
      this.#cache.set(key, parsed);
    }
    const last = target.lastChild;
    if (parsed.nodes.firstChild !== null) cloneChildren(parsed.nodes.firstChild, target, document);
    if (parsed.hasHandlers) addHandlers(last === null ? target.firstChild : last.nextSibling);
  }

  #parse(text: string, context: TreeElement): ParsedFragment {
    const parser = new this.#Parser(undefined, context);
    parser.parse(text, true);
    const nodes = this.#dom.createFragment(this.#dom.createBlankDocument(true, null));
    // The nodes are in an element `html`.
    copyAngularChildren(nodes, parser.document().firstChild!);
    return { nodes, hasHandlers: hasHandlers(nodes) };
  }
}
