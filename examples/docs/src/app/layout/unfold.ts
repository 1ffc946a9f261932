/** Opens the folded parts of a page around an element, and scrolls to it. */
export function unfold(document: Document, id: string): void {
  const element = document.getElementById(id);
  const folded = element?.closest('details:not([open])');
  if (!element || !folded) return;
  for (let at: Element | null = folded; at !== null; at = at.parentElement) {
    if (at instanceof HTMLDetailsElement) at.open = true;
  }
  element.scrollIntoView();
}
