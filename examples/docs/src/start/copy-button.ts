const SHOWN_MS = 2000;

/** Makes the buttons of code blocks copy the code, of a diff what it leads to. */
export function copyByButtons(document: Document): void {
  document.addEventListener('click', ({ target }) => {
    const button = (target as Element).closest<HTMLButtonElement>('button.copy');
    const code = button?.parentElement?.querySelector('pre code');
    if (button && code) void copy(code).then((text) => show(button, text));
  });
}

async function copy(code: Element): Promise<string> {
  const isDiff = code.parentElement!.classList.contains('diff');
  const lines = [...code.children].filter(({ tagName }) => tagName !== 'DEL');
  const text = isDiff ? lines.map(({ textContent }) => textContent).join('\n') : code.textContent;
  try {
    await navigator.clipboard.writeText(text);
    return 'Copied';
  } catch {
    return 'Not copied';
  }
}

function show(button: HTMLButtonElement, text: string): void {
  button.textContent = text;
  setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
}
