import { scrollToCurrent } from '../app/layout/scroll-to-current';

/** Shows the current page in the menu that opens: the list is longer than a phone. */
export function scrollMenu(document: Document): void {
  // It does not bubble.
  document.addEventListener('toggle', scrollOpened, { capture: true });
}

function scrollOpened({ target }: Event): void {
  if (target instanceof HTMLDialogElement && target.open) scrollToCurrent(target);
}
