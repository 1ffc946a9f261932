import { unfold } from '../app/layout/unfold';

/** Opens what is folded around the target of the address; not all browsers do so. */
export function unfoldTarget(document: Document): void {
  const open = (): void => unfold(document, decodeURIComponent(document.location.hash.slice(1)));
  addEventListener('hashchange', open);
  open();
}
