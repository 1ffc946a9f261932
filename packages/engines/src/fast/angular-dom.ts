import { createDom, type Dom } from '@ng-ssr/dom';
import { readDomClasses } from './angular-hooks.ts';
import { isSameDom } from './same-dom.ts';

/** By the Document class of each bundle of Angular; null where pages would differ. */
const doms = new WeakMap<object, Dom | null>();

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
