/** The first that a reader does: with a mouse or a pen, a finger, a wheel, keys, or a screen reader. */
const USES = ['pointermove', 'pointerdown', 'touchstart', 'wheel', 'keydown', 'focusin', 'click'];

/** Calls `start` once, as soon as a reader turns to the document. */
export function whenFirstUsed(document: Document, start: () => Promise<unknown>): void {
  const first = new AbortController();
  const { signal } = first;
  const onUse = (): void => {
    first.abort();
    // Without the application the links, the menu and the text of the document still work.
    start().catch((error: unknown) => console.error(error));
  };
  for (const type of USES) {
    document.addEventListener(type, onUse, { capture: true, passive: true, signal });
  }
}
