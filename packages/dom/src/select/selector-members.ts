import { documentOf } from '../link.ts';
import { DOCUMENT, FRAGMENT } from '../node-types.ts';
import type { TreeElement, TreeParent } from '../shapes.ts';
import { search } from './search.ts';
import { type Compound, fulfils, simpleSelectors } from './simple-selectors.ts';

interface Selecting {
  querySelector(selector: string): unknown;
  querySelectorAll(selector: string): unknown;
  matches(selector: string): boolean;
}

/** Selectors for which Angular's engine looks into its own indexes, and answers with live lists. */
const INDEXED = /^(?:#[\w-]*|\.\w+|\w+)$/;

/** `querySelector` and `querySelectorAll` for simple selectors; Angular's engine answers all others. */
export class SelectorMembers {
  querySelector(selector: string): unknown {
    const parent = this as unknown as TreeParent;
    const compounds = compoundsFor(parent, selector);
    if (compounds === null) return inherited(parent).querySelector.call(this, selector);
    const [first] = search(parent, compounds, true);
    return first ?? (parent.nodeType === FRAGMENT ? null : undefined);
  }

  querySelectorAll(selector: string): unknown {
    const parent = this as unknown as TreeParent;
    const compounds = compoundsFor(parent, selector);
    if (compounds === null) return inherited(parent).querySelectorAll.call(this, selector);
    const list = documentOf(parent).dom.createList();
    for (const element of search(parent, compounds, false)) list.push(element);
    return list;
  }
}

/** `matches`, which `closest` of Angular's asks for each ancestor. */
export class MatchesMembers {
  matches(selector: string): boolean {
    const element = this as unknown as TreeElement;
    const compounds = typeof selector === 'string' ? simpleSelectors(selector) : null;
    if (compounds === null) return inherited(element).matches.call(this, selector);
    for (const compound of compounds) {
      const { tag } = compound;
      if (tag !== null) {
        if (element.prefix !== null || element.localName.toLowerCase() !== tag) continue;
      }
      if (fulfils(element, compound)) return true;
    }
    return false;
  }
}

function compoundsFor(parent: TreeParent, selector: unknown): readonly Compound[] | null {
  if (typeof selector !== 'string') return null;
  if (parent.nodeType !== FRAGMENT && INDEXED.test(selector)) return null;
  return simpleSelectors(selector);
}

/** Angular's own members for a node of ours. */
function inherited(node: TreeParent): Selecting {
  const { classes } = documentOf(node).dom;
  const name =
    node.nodeType === FRAGMENT
      ? 'DocumentFragment'
      : node.nodeType === DOCUMENT
        ? 'Document'
        : 'Element';
  return (classes[name] as { readonly prototype: Selecting }).prototype;
}
