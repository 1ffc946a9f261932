import type { Compound } from '@ng-ssr/dom';

/**
 * What Beasties asks of a page otherwise than the plan of a stylesheet, which is for the app engine: it reads the
 * stylesheet itself, and asks the page's elements.
 */

/** What Beasties leaves out of a selector. */
const PSEUDO = /(?<!\\)::?[a-z-]+(?:\(.+\))?/gi;

/** Whether a rule has rules in it whose selectors Beasties asks about: it cannot read those with `&`. */
export function hasOwnSelectors(css: string): boolean {
  const preludes = css.slice(css.indexOf('{')).matchAll(/(?<=[{};])\s*([^{};@\s][^{};]*)\{/g);
  return [...preludes].some(([, prelude]) =>
    prelude!.split(',').some((selector) => !/^[^["'\\]*&/.test(selector)),
  );
}

/** Whether a selector that the plan takes for one of every page depends on more: `* + * + *`, `[class=""]`. */
export function isOfSomePages(selector: string): boolean {
  const asked = selector.replace(PSEUDO, '');
  return asked.includes('[') || asked.split('*').length > 3;
}

/** Whether Beasties understands a test of an attribute in another way: `[a!="b"]`, `[a~=""]`. */
export function isReadOtherwise(selector: string): boolean {
  return /!=|~=\s*(?:""|'')/.test(selector);
}

/** The attribute of a selector that tests it alone. Of a class or an id, Beasties takes the value for a name. */
export function loneTest([compound, ...others]: readonly Compound[]):
  { readonly name: string; readonly value: string } | undefined {
  const { tag, classes, ids, attributes: [test, ...more] = [] } = compound!;
  const isAlone = others.length + more.length === 0 && (tag ?? classes ?? ids) === undefined;
  return isAlone && test ? { name: test.name, value: test.value ?? '' } : undefined;
}

/** Whether one of a page's links is of a stylesheet that has no plan, such as one that the build copied. */
export function hasUnplannedSheet(links: string, planned: ReadonlySet<string>): boolean {
  return [...links.matchAll(/<link [^>]*>/g)].some(([link]) => {
    const href = /\shref="([^"?#]*)/i.exec(link)?.[1] ?? '';
    if (!href.endsWith('.css') || /^(?:https?:)?\/\//.test(href)) return false;
    return !planned.has(href.replace(/^\.?\//, '')) && !/\sdata-beasties-skip[\s>=]/.test(link);
  });
}
