/** Scrolls the list of pages at the side until the shown page is in the middle, unless it is visible. */
export function scrollToCurrent(side: Element | null): void {
  const link = side?.querySelector('[aria-current]');
  if (!side || !link) return;
  const visible = side.getBoundingClientRect();
  const { top, bottom } = link.getBoundingClientRect();
  if (top >= visible.top && bottom <= visible.bottom) return;
  side.scrollTop += top - visible.top - visible.height / 2;
}
