import type { TreeDocument } from './shapes.ts';

/** Thrown where a render uses what this DOM does not have. The page is then rendered with Angular's own DOM. */
export class DomLacksError extends Error {
  override readonly name = 'DomLacksError';

  constructor(what: string) {
    super(`@ng-ssr/dom does not have ${what}`);
  }
}

/** Notes on the page's document that something is lacking, for the first such thing, and makes the error to throw. */
export function lack(document: TreeDocument, what: string): DomLacksError {
  document.page.lacking ??= what;
  return new DomLacksError(what);
}
