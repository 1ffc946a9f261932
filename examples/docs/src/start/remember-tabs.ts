import { chooseTab } from '../app/content/code-tabs';

/** Makes a chosen tab that of all code blocks; the chosen block stays where it is on the screen. */
export function rememberTabs(document: Document): void {
  document.addEventListener('change', ({ target }) => {
    const input = target as HTMLInputElement;
    const tabs = input.closest('.tabs');
    if (tabs === null) return;
    const before = tabs.getBoundingClientRect().top;
    chooseTab(document, input.value);
    scrollBy({ top: tabs.getBoundingClientRect().top - before, behavior: 'instant' });
  });
}
