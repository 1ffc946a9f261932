import { isError } from './describe-error.ts';
import { isSsrError } from './errors.ts';
import { adviceOnRelativeUrl } from './relative-url.ts';

/** What V8, and JavaScriptCore in Bun, say of a name that is not defined. */
const NOT_DEFINED = /^(?:(\w+) is not defined|Can't find variable: (\w+))$/;
const OF_BROWSERS: ReadonlySet<string> = new Set(
  (
    'window document navigator location history screen localStorage sessionStorage indexedDB matchMedia ' +
    'getComputedStyle requestAnimationFrame cancelAnimationFrame requestIdleCallback scrollTo alert confirm ' +
    'IntersectionObserver ResizeObserver MutationObserver XMLHttpRequest FileReader DOMParser Image Audio Worker ' +
    'SVGElement HTMLCanvasElement customElements self'
  ).split(' '),
);

const INSTEAD =
  'use it in afterNextRender(), or only where isPlatformBrowser(inject(PLATFORM_ID)) is true';

/** What to do about an error that says that the server lacks something of browsers; undefined for other errors. */
export function adviceOn(thrown: unknown): string | undefined {
  if (isOfDom(thrown)) {
    return (
      `Angular's server DOM lacks a member that the page uses, such as document.cookie, getContext of a canvas ` +
      `or innerHTML of an SVG element: ${INSTEAD}`
    );
  }
  const name = globalOf(thrown);
  if (name === undefined) return adviceOnRelativeUrl(thrown);
  const document = name === 'document' ? ', or inject DOCUMENT' : '';
  return `A server has no ${name}: ${INSTEAD}${document}`;
}

/** Whether Angular's DOM has thrown it: it names neither the member nor itself. */
function isOfDom(thrown: unknown): boolean {
  return isError(thrown) && thrown.message === 'NotYetImplemented';
}

/** The message of an error with this cause: advice is a part of it, and an SsrError is advice. */
export function withAdvice(message: string, cause: unknown): string {
  const advice = isSsrError(cause) ? cause.message : adviceOn(cause);
  return advice === undefined ? message : `${message}. ${advice}`;
}

function globalOf(thrown: unknown): string | undefined {
  if (!isError(thrown) || thrown.name !== 'ReferenceError') return undefined;
  const [, ofV8, ofOthers] = NOT_DEFINED.exec(thrown.message) ?? [];
  const name = ofV8 ?? ofOthers;
  return name !== undefined && OF_BROWSERS.has(name) ? name : undefined;
}
