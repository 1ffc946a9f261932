import { DOCUMENT, ELEMENT } from '../node-types.ts';
import type { TreeDocument, TreeElement, TreeNode, TreeParent } from '../shapes.ts';
import { type Compound, fulfils } from './simple-selectors.ts';

/** The elements below `root` which one of the compounds selects, in tree order; only the first where `isFirst`. */
export function search(
  root: TreeParent,
  compounds: readonly Compound[],
  isFirst: boolean,
): TreeElement[] {
  const found: TreeElement[] = [];
  if (root.nodeType === DOCUMENT) {
    // Angular's search begins here too, even where the element has left the document.
    const top = (root as TreeDocument).documentElement;
    if (top !== null) visit(top, compounds, isFirst, found);
  } else visitChildren(root, compounds, isFirst, found);
  return found;
}

/** False ends the search. */
function visitChildren(
  parent: TreeParent,
  compounds: readonly Compound[],
  isFirst: boolean,
  found: TreeElement[],
): boolean {
  for (let kid: TreeNode | null = parent.firstChild; kid !== null; kid = kid.nextSibling) {
    if (kid.nodeType !== ELEMENT) continue;
    if (!visit(kid as TreeElement, compounds, isFirst, found)) return false;
  }
  return true;
}

function visit(
  element: TreeElement,
  compounds: readonly Compound[],
  isFirst: boolean,
  found: TreeElement[],
): boolean {
  for (const compound of compounds) {
    const { tag } = compound;
    const isTag = tag === null || (element.localName === tag && element.prefix === null);
    if (!isTag || !fulfils(element, compound)) continue;
    found.push(element);
    if (isFirst) return false;
    break;
  }
  return element.firstChild === null || visitChildren(element, compounds, isFirst, found);
}
