/** A condition on an attribute: `[name]`, or `[name="value"]` with one of CSS's operators. */
export interface AttributeTest {
  readonly name: string;
  /** `exists`, `=`, `~=`, `^=`, `$=`, `*=`, `|=` in this order. */
  readonly action: 'exists' | 'equals' | 'element' | 'start' | 'end' | 'any' | 'hyphen';
  readonly value?: string | undefined;
  readonly ignoreCase?: boolean | undefined;
}

/** The part of a selector between two combinators. */
export interface Compound {
  readonly tag?: string | undefined;
  readonly classes?: readonly string[] | undefined;
  readonly ids?: readonly string[] | undefined;
  readonly attributes?: readonly AttributeTest[] | undefined;
}

/** A selector of several conditions; one combinator fewer than compounds. */
export interface SelectorChain {
  readonly compounds: readonly Compound[];
  readonly combinators: readonly string[];
}

/** What stylesheets ask of a page. Values are compared with the page's text, in which `&` is `&amp;`. */
export interface Selectors {
  /** In lower case. */
  readonly tags: Iterable<string>;
  readonly classes: Iterable<string>;
  readonly ids: Iterable<string>;
  /** Names in lower case. */
  readonly attributes: Iterable<string>;
  readonly chains: readonly SelectorChain[];
  /** Of each font with a `unicode-range`: the first and the last character of a range, of the next, and so on. */
  readonly characters?: readonly (readonly number[])[] | undefined;
}

/** Whether a value in a page passes a test, by the rules of Selectors 4 section 6. */
export function passes(test: AttributeTest, value: string | undefined): boolean {
  if (value === undefined) return false;
  if (test.action === 'exists') return true;
  const fold = (text: string): string => (test.ignoreCase === true ? text.toLowerCase() : text);
  const actual = fold(value);
  const expected = fold(test.value ?? '');
  switch (test.action) {
    case 'equals':
      return actual === expected;
    case 'element':
      return expected !== '' && actual.split(/\s+/).includes(expected);
    case 'start':
      return expected !== '' && actual.startsWith(expected);
    case 'end':
      return expected !== '' && actual.endsWith(expected);
    case 'any':
      return expected !== '' && actual.includes(expected);
    case 'hyphen':
      return actual === expected || actual.startsWith(`${expected}-`);
  }
}
