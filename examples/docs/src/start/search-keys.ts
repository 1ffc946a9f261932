/** Makes `/` the key that leads to the search, but not where a reader types. */
export function focusSearchOnSlash(document: Document): void {
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).closest('input, select, textarea') !== null;
    if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    document.querySelector<HTMLElement>('[role="combobox"]')?.focus();
  });
}
