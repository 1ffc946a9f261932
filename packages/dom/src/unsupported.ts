import type { TreeDocument } from './shapes.ts';

/** Thrown where a render uses what this DOM does not have. The page is then rendered with Angular's own DOM. */
export class DomUnsupportedError extends Error {
  override readonly name = 'DomUnsupportedError';

  constructor(what: string) {
    super(`@ng-ssr/dom does not have ${what}`);
  }
}

/** Notes on the page's document that something is not supported, for the first such thing, and makes the error to throw. */
export function unsupported(document: TreeDocument, what: string): DomUnsupportedError {
  document.page.unsupported ??= what;
  return new DomUnsupportedError(what);
}
