/** Makes Ctrl+K, Cmd+K and `/` lead to the search, and buttons that open it; `/` not where a reader types. */
export function openSearchByKeys(document: Document): void {
  document.addEventListener('keydown', (event) => {
    const isTyping = (event.target as Element).closest('input, select, textarea') !== null;
    const hasControl = event.ctrlKey || event.metaKey;
    if (event.altKey || event.shiftKey) return;
    const opens = hasControl ? event.key.toLowerCase() === 'k' : event.key === '/' && !isTyping;
    if (!opens) return;
    event.preventDefault();
    openSearch(document);
  });
  document.addEventListener('click', ({ target }) => {
    if ((target as Element).closest('.open-search') !== null) openSearch(document);
  });
}

function openSearch(document: Document): void {
  const input = document.querySelector<HTMLInputElement>('[role="combobox"]');
  input?.focus();
  input?.select();
}
