import type { Selectors } from '@ng-ssr/dom';
import { CSS, MATCH, SELECTORS } from './compact-plans.ts';
import type { Reparsed } from './page-styles.ts';

/** A plan whose form has been checked. */
type Plan = readonly [
  version: number,
  href: unknown,
  size: number,
  pool: readonly string[],
  wraps: unknown,
  rules: readonly (readonly [flags: number, ...unknown[]])[],
];

/** A rule in a rule, whose selector Beasties asks about alone: it cannot read one with `&`. */
const OWN_RULE = /[{};]\s*(?:[^{};@&\s]|&[^{};]*,\s*[^&\s])[^{};]*\{/;
/** Tests of attributes that Beasties understands in another way. */
const READ_OTHERWISE = /!=|~=\s*(?:""|'')/;

/**
 * What Beasties asks of a page, which reads the stylesheets itself: more than their plans, which are for the app engine.
 */
export function asBeasties(plans: readonly unknown[]): Reparsed {
  const known = plans as readonly Plan[];
  return {
    ask: (selectors) => (known.some(isPartial) ? undefined : inEitherCase(withNames(selectors))),
    isPlanned(links) {
      const hrefs = known.map(([, href]) => String(href).replace(/^\//, ''));
      return (links.match(/<link [^>]*>/g) ?? []).every((link) => {
        const href = /\shref="(?!(?:https?:)?\/\/)\.?\/?([^"?#]*\.css)["?#]/i.exec(link)?.[1];
        const isSkipped = /\sdata-beasties-skip[\s>=]/.test(link);
        return href === undefined || isSkipped || hrefs.includes(href);
      });
    },
  };
}

/** Whether there is a rule for which Beasties asks a page what no plan says. */
function isPartial([, , , pool, , rules]: Plan): boolean {
  const read = (value: unknown): string =>
    typeof value === 'number' ? pool[value - 1]! : String(value);
  return rules.some(([flags, first, ...others]) => {
    if ((flags & MATCH) === 0) return false;
    // Of a rule with rules in it the plan has no list of selectors.
    if ((flags & SELECTORS) === 0) return OWN_RULE.test(read(first));
    const conditions = others[flags & CSS ? 2 : 1] as readonly unknown[];
    return [first].flat().some((value, at) => {
      const selector = read(value);
      const isOfEach = conditions[at] === 0 && isOfSomePages(selector);
      return isOfEach || READ_OTHERWISE.test(selector);
    });
  });
}

/** Whether a selector that the plan takes for one of every page depends on more: `* + * + *`, `[class=""]`. */
function isOfSomePages(selector: string): boolean {
  const asked = selector.replace(/\(.*\)/, '');
  return asked.includes('[') || asked.split('*').length > 3;
}

/** The same with the values of `class` and `id`, which Beasties takes for names. */
function withNames(selectors: Selectors): Selectors {
  const tests = [...selectors.attributes].map((name) => ({ name, value: '' }));
  for (const { compounds } of selectors.chains) {
    for (const { attributes = [] } of compounds) {
      for (const { name, value = '' } of attributes) tests.push({ name, value });
    }
  }
  const namesOf = (attribute: string): string[] =>
    tests.filter(({ name }) => name === attribute).map(({ value }) => value);
  return {
    ...selectors,
    classes: [...selectors.classes, ...namesOf('class')],
    ids: [...selectors.ids, ...namesOf('id')],
  };
}

/** The same with a second chain for each that compares the values of attributes: Beasties ignores the case of some. */
function inEitherCase(selectors: Selectors): Selectors {
  const folded = selectors.chains
    .filter(({ compounds }) => compounds.some(({ attributes }) => attributes !== undefined))
    .map(({ compounds, combinators }) => ({
      compounds: compounds.map((compound) => ({
        ...compound,
        attributes: compound.attributes?.map((test) => ({ ...test, ignoreCase: true })),
      })),
      combinators,
    }));
  return { ...selectors, chains: [...selectors.chains, ...folded] };
}
