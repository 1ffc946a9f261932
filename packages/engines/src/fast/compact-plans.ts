import type { AttributeTest, Compound, SelectorChain, Selectors } from '@ng-ssr/dom';

/** The version of the format that is read here. */
const VERSION = 1;
/** What of a rule is in its list, in this order: bits of its first number. */
export const SELECTORS = 1;
export const CSS = 2;
export const MATCH = 4;
const WRAP = 16;
const FONTS = 32;
const KEYFRAMES = 64;
const FONT_FACE = 128;

const ACTIONS: readonly AttributeTest['action'][] = [
  'exists',
  'equals',
  'element',
  'start',
  'end',
  'any',
  'hyphen',
];

/** The first and the last character of a range, of the next range, and so on. */
type CharacterRanges = readonly number[];
type Reader = (value: unknown) => string;

/**
 * Reads which selectors the precomputed plans of critical CSS ask about, in the form in which the Angular CLI
 * writes them (Beasties' compact plan). Only this: the CSS itself comes from Angular.
 *
 * @returns undefined if the plans have another form.
 */
export function readSelectors(plans: readonly unknown[]): Selectors | undefined {
  const found = new SelectorLists();
  try {
    return plans.every((plan) => readPlan(plan, found)) ? found : undefined;
  } catch (error) {
    if (error instanceof UnknownForm) return undefined;
    throw error;
  }
}

class SelectorLists implements Selectors {
  readonly tags: Set<string> = new Set();
  readonly classes: Set<string> = new Set();
  readonly ids: Set<string> = new Set();
  readonly attributes: Set<string> = new Set();
  readonly chains: SelectorChain[] = [];
  readonly characters: CharacterRanges[] = [];

  /** Fonts of the same script have the same ranges. */
  addCharacters(ranges: CharacterRanges): void {
    const text = String(ranges);
    if (!this.characters.some((known) => String(known) === text)) this.characters.push(ranges);
  }
}

class UnknownForm extends Error {}

function readPlan(plan: unknown, found: SelectorLists): boolean {
  const [version, , , pool, , rules] = listOf(plan);
  if (version !== VERSION) return false;
  const texts = listOf(pool);
  const read: Reader = (value) => {
    const text = typeof value === 'number' ? texts[value - 1] : value;
    if (typeof text !== 'string') throw new UnknownForm();
    return text;
  };
  return listOf(rules).every((rule) => readRule(listOf(rule), read, found));
}

function readRule(rule: readonly unknown[], read: Reader, found: SelectorLists): boolean {
  const flags = rule[0];
  if (typeof flags !== 'number') return false;
  let at = 1;
  let selectors: readonly unknown[] = [];
  if (flags & SELECTORS) {
    selectors = Array.isArray(rule[at]) ? listOf(rule[at]) : [rule[at]];
    at += 2;
  }
  if (flags & CSS) at++;
  if (flags & MATCH) {
    const conditions = listOf(rule[at++]);
    conditions.forEach((condition, i) => readCondition(condition, selectors[i], read, found));
  }
  for (const flag of [WRAP, FONTS, KEYFRAMES]) if (flags & flag) at++;
  if (flags & FONT_FACE) {
    const ranges = listOf(rule[at])[2];
    if (ranges !== undefined) found.addCharacters(readRanges(ranges));
  }
  return true;
}

function readRanges(value: unknown): CharacterRanges {
  const ranges = listOf(value);
  const isKnown = ranges.length % 2 === 0 && ranges.every((each) => typeof each === 'number');
  if (!isKnown) throw new UnknownForm();
  return ranges as CharacterRanges;
}

function readCondition(
  condition: unknown,
  selector: unknown,
  read: Reader,
  found: SelectorLists,
): void {
  if (condition === 0) return;
  if (condition === 1) found.classes.add(read(selector).slice(1));
  else if (condition === 2) found.ids.add(read(selector).slice(1));
  else if (condition === 3) found.tags.add(read(selector).toLowerCase());
  else if (typeof listOf(condition)[0] === 'string') {
    found.chains.push(readChain(listOf(condition), read));
  } else {
    const [classes, ids, tags, attributes] = listOf(condition);
    addAll(found.classes, classes, read);
    addAll(found.ids, ids, read);
    addAll(found.tags, tags, read);
    addAll(found.attributes, attributes, read);
  }
}

function addAll(names: Set<string>, values: unknown, read: Reader): void {
  if (values !== 0) for (const value of listOf(values)) names.add(read(value));
}

function readChain([combinators, compounds]: readonly unknown[], read: Reader): SelectorChain {
  return {
    combinators: [...read(combinators)],
    compounds: listOf(compounds).map((compound) => readCompound(compound, read)),
  };
}

function readCompound(compound: unknown, read: Reader): Compound {
  if (!Array.isArray(compound)) return { classes: [read(compound)] };
  const [tag, classes, ids, attributes] = listOf(compound);
  return {
    tag: tag === 0 ? undefined : read(tag),
    classes: classes === 0 ? undefined : listOf(classes).map(read),
    ids: ids === 0 ? undefined : listOf(ids).map(read),
    attributes:
      attributes === 0 ? undefined : listOf(attributes).map((test) => readTest(test, read)),
  };
}

function readTest(test: unknown, read: Reader): AttributeTest {
  const [name, action, value, ignoresCase] = listOf(test);
  const known = ACTIONS[action as number];
  if (known === undefined) throw new UnknownForm();
  return {
    name: read(name),
    action: known,
    value: value === 0 ? undefined : read(value),
    ignoreCase: ignoresCase === 1,
  };
}

function listOf(value: unknown): readonly unknown[] {
  if (!Array.isArray(value)) throw new UnknownForm();
  return value;
}
