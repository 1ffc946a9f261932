const KEY = 'framework';

/** Shows the remembered tab of each group of code blocks that has it. */
export function showChosenTabs(root: ParentNode): void {
  const chosen = read();
  if (chosen === undefined) return;
  for (const input of root.querySelectorAll<HTMLInputElement>('.tabs input')) {
    if (input.value === chosen) input.checked = true;
  }
}

/** Remembers a tab, for all groups of all pages. */
export function chooseTab(root: ParentNode, name: string): void {
  try {
    localStorage.setItem(KEY, name);
  } catch {
    // Without storage the choice is that of one group.
  }
  showChosenTabs(root);
}

function read(): string | undefined {
  try {
    return localStorage.getItem(KEY) ?? undefined;
  } catch {
    return undefined;
  }
}
