import { attributeText } from './attribute-list.ts';
import { isInDocument, precedes } from './position.ts';
import type { TreeDocument, TreeElement } from './shapes.ts';

/** Remembers that an element of this document was given an id. Whether it still holds is asked at the look-up. */
export function rememberId(document: TreeDocument, id: string, element: TreeElement): void {
  const ids = (document._ids ??= new Map<string, TreeElement | TreeElement[]>());
  const known = ids.get(id);
  if (known === undefined) ids.set(id, element);
  else if (Array.isArray(known)) {
    if (!known.includes(element)) known.push(element);
  } else if (known !== element) ids.set(id, [known, element]);
}

/** The same for an element whose attributes were set at once. */
export function rememberIdOf(element: TreeElement): void {
  const id = attributeText(element._attrs, 'id');
  if (id) rememberId(element.ownerDocument, id, element);
}

function holds(document: TreeDocument, id: string, element: TreeElement): boolean {
  return (
    element.ownerDocument === document &&
    attributeText(element._attrs, 'id') === id &&
    isInDocument(element)
  );
}

/** How many elements in the document's tree have this id, two standing for more. */
export function countById(document: TreeDocument, id: string): number {
  const known = document._ids?.get(id);
  if (known === undefined) return 0;
  if (!Array.isArray(known)) return holds(document, id, known) ? 1 : 0;
  return Math.min(known.filter((element) => holds(document, id, element)).length, 2);
}

/** Forgets elements that are no longer in the document's tree. */
export function forgetRemoved(document: TreeDocument): void {
  const ids = document._ids;
  if (ids === null) return;
  for (const id of ids.keys()) if (countById(document, id) === 0) ids.delete(id);
}

/** The first element in tree order with this id. */
export function findById(document: TreeDocument, id: string): TreeElement | null {
  const known = document._ids?.get(id);
  if (known === undefined) return null;
  if (!Array.isArray(known)) return holds(document, id, known) ? known : null;
  let first: TreeElement | null = null;
  for (const element of known) {
    if (holds(document, id, element) && (first === null || precedes(element, first)))
      first = element;
  }
  return first;
}
