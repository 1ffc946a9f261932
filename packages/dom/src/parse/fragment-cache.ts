import { ELEMENT } from '../node-types.ts';
import type { TreeElement, TreeFragment, TreeNode, TreeParent, TreeText } from '../shapes.ts';

/** Memory for a node or an attribute besides its text, in bytes. */
const NODE_BYTES = 150;

/** A parsed text. Its nodes belong to a document of their own, which nothing else refers to. */
export interface ParsedFragment {
  readonly nodes: TreeFragment;
  readonly hasHandlers: boolean;
}

interface Entry {
  readonly parsed: ParsedFragment;
  readonly bytes: number;
}

/**
 * Parsed fragments by context and text, bounded by the memory they take; the one unused for longest leaves first.
 * Texts of a content management system come back in each render, and Angular's sanitizer parses each text twice.
 */
export class FragmentCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  #bytes = 0;

  /** @param maxBytes - The most memory for all fragments; one fragment may take an eighth of it. */
  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get(key: string): ParsedFragment | undefined {
    const entry = this.#entries.get(key);
    if (entry === undefined) return undefined;
    this.#entries.delete(key);
    this.#entries.set(key, entry);
    return entry.parsed;
  }

  set(key: string, parsed: ParsedFragment): void {
    const bytes = 2 * key.length + weigh(parsed.nodes);
    if (bytes > this.#maxBytes / 8) return;
    this.#bytes += bytes;
    this.#entries.set(key, { parsed, bytes });
    for (const [oldest, entry] of this.#entries) {
      if (this.#bytes <= this.#maxBytes) break;
      this.#entries.delete(oldest);
      this.#bytes -= entry.bytes;
    }
  }
}

function weigh(parent: TreeParent): number {
  let bytes = NODE_BYTES;
  for (let kid: TreeNode | null = parent.firstChild; kid !== null; kid = kid.nextSibling) {
    if (kid.nodeType !== ELEMENT) {
      bytes += NODE_BYTES + 2 * (kid as TreeText)._data.length;
      continue;
    }
    const { _attrs: attrs, _rare: rare } = kid as TreeElement;
    bytes += weigh(kid as TreeParent);
    if (rare?.content) bytes += weigh(rare.content);
    if (attrs === null) continue;
    for (let at = 0; at < attrs.length; at += 2) {
      bytes += NODE_BYTES / 2 + 2 * String(attrs[at + 1]).length;
    }
  }
  return bytes;
}
