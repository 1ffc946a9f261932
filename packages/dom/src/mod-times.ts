import { documentOf } from './link.ts';
import { DOCUMENT, ELEMENT } from './node-types.ts';
import { isInDocument } from './position.ts';
import { Rare } from './rare.ts';
import type { TreeDocument, TreeElement, TreeNode, TreeParent } from './shapes.ts';

/**
 * When the tree below a node changed last, as Angular's live lists ask for it. They learn less than a browser's: not
 * of what is inserted into a tree outside the document, and those of a document only of its own children.
 */
export function modTimeOf(node: TreeNode): number {
  const document = documentOf(node);
  const { _version: version } = document;
  if (version === 0) return 0;
  if (node.nodeType === DOCUMENT) return (document.modTime ||= version);
  if (node.nodeType !== ELEMENT) return version;
  document.watched = true;
  const rare = ((node as TreeElement)._rare ??= new Rare());
  return (rare.modTime ||= version);
}

/** Notes that children of `parent` were removed or inserted. */
export function touch(parent: TreeParent, inserted: boolean): void {
  const document = documentOf(parent);
  if (document._version === 0) return;
  const version = ++document._version;
  if ((parent as TreeNode) === document) {
    if (document.modTime !== 0) document.modTime = version;
  } else if (document.watched) spread(document, parent, version, inserted);
}

function spread(
  document: TreeDocument,
  parent: TreeParent,
  version: number,
  inserted: boolean,
): void {
  if (inserted && !isInDocument(parent)) return;
  for (let at: TreeNode | null = parent; at !== null && at !== document; at = at.parentNode) {
    const { _rare: rare } = at as TreeElement;
    if (rare && rare.modTime !== 0) rare.modTime = version;
  }
}
