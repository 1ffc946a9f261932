import { createDom, type Dom } from '@ng-ssr/dom';
import { readDomClasses } from './angular-hooks.ts';
import { isSameDom } from './same-dom.ts';
import { watchViewRegistry } from './view-registry.ts';

/** By the Document class of each bundle of Angular; null where pages would differ. */
const doms = new WeakMap<object, Dom | null>();

/** Renders that are watched until Angular's registry of views is found. */
const MAX_WATCHED = 3;
const watched = new WeakMap<Dom, number>();

/** Watches one of the first renders; the result ends the watch. */
export function watchRender(dom: Dom): (() => void) | undefined {
  const count = watched.get(dom) ?? 0;
  if (count >= MAX_WATCHED) return undefined;
  const end = watchViewRegistry();
  if (end === undefined) return undefined;
  watched.set(dom, count + 1);
  return () => {
    if (end()) watched.set(dom, MAX_WATCHED);
  };
}

/**
 * The DOM of renders with the Angular whose Document class this is.
 *
 * @returns undefined if it does not serialize a document as Angular's own does.
 */
export function domOf(documentClass: object): Dom | undefined {
  let dom = doms.get(documentClass);
  if (dom === undefined) {
    dom = createSameDom();
    doms.set(documentClass, dom);
  }
  return dom ?? undefined;
}

function createSameDom(): Dom | null {
  try {
    const classes = readDomClasses();
    const dom = createDom(classes);
    return isSameDom(dom, classes) ? dom : null;
  } catch {
    return null;
  }
}
