import { SsrError } from './errors.ts';
import { meantNumber } from './meant-number.ts';
import { suggestionFor } from './suggestion.ts';

/**
 * Refuses unknown option names: a misspelt security option must not be ignored silently.
 *
 * @param group - The option that they belong to, as in `probes.ready`. Default: none.
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN` with all of them, and with the known names that are most alike; `NG_SSR_OPTION_INVALID` for what is no
 * object of options.
 */
export function assertKnownOptions(
  options: object,
  known: readonly string[],
  group?: string,
): void {
  check(group ?? 'options', options, isOptionObject(options), 'an object of options');
  const unknown = Object.keys(options).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  const show = (name: string): string =>
    group === undefined ? showValue(name) : `${group}.${showName(name)}`;
  let message = '';
  for (const name of unknown) {
    const begin = message === '' ? 'there is' : message.endsWith('?') ? ' There is' : '; there is';
    const meant = suggestionFor(name, known);
    const advice = meant === undefined ? '' : `. Did you mean ${show(meant)}?`;
    message += `${begin} no option ${show(name)}${advice}`;
  }
  const begin = message.endsWith('?') ? ' The' : ': the';
  throw new SsrError('NG_SSR_OPTION_UNKNOWN', `${message}${begin} options are ${known.join(', ')}`);
}

function showName(name: string): string {
  return /^[\w$]{1,50}$/.test(name) ? name : showValue(name);
}

/**
 * Refuses a key of an option's object, such as a pattern.
 *
 * @param allowed - What a key must be, in words.
 * @param meant - What was probably meant. Default: nothing is said.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkKey(
  option: string,
  key: string,
  isAllowed: boolean,
  allowed: string,
  meant?: string,
): void {
  if (isAllowed) return;
  const advice = meant === undefined ? '' : `. Did you mean ${showValue(meant)}?`;
  const message = `${keyOf(option, key)}: the key must be ${allowed}${advice}`;
  throw new SsrError('NG_SSR_OPTION_INVALID', message);
}

/** The name of what an option's object has under a key. */
export function keyOf(option: string, key: string): string {
  return `${option}[${showValue(key)}]`;
}

/**
 * Refuses an option's value that is not allowed.
 *
 * @param meant - What to write in its place, as users write it. Default: nothing is said.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function check(
  name: string,
  value: unknown,
  isAllowed: boolean,
  allowed: string,
  meant?: string,
): void {
  if (isAllowed) return;
  const advice = meant === undefined ? '' : `. Did you mean ${meant}?`;
  const message = `${name} is ${describe(value)}; allowed: ${allowed}${advice}`;
  throw new SsrError('NG_SSR_OPTION_INVALID', message);
}

function describe(value: unknown): string {
  if (value === undefined) return 'missing';
  if (value === null) return 'null';
  return `${showValue(value)} (${kindOf(value) === '[object Array]' ? 'list' : typeof value})`;
}

/**
 * Reads an option with all that is in it. A getter or a proxy that throws is refused as a wrong value is.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`, and what `read` throws of this class.
 */
export function readOption<T>(name: string, read: () => T): T {
  try {
    return read();
  } catch (cause) {
    if (cause instanceof SsrError) throw cause;
    const message = `reading ${name} threw ${showValue(cause)}; allowed: plain values`;
    throw new SsrError('NG_SSR_OPTION_INVALID', message, { cause });
  }
}

/**
 * A copy of a server's options: a proxy or a getter could throw at any later time.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function copyOptions<Options extends object>(options: Options): Options {
  check('options', options, isOptionObject(options), 'an object of options');
  return readOption('options', () => {
    const read = (name: string): unknown =>
      readOption(name, () => options[name as keyof Options] as unknown);
    return Object.fromEntries(Object.keys(options).map((name) => [name, read(name)])) as Options;
  });
}

/** The longest delay of Node's timers, and the longest time in headers that all caches read (RFC 9111 section 1.2.2). */
const MOST: Readonly<Record<string, number>> = {
  milliseconds: 2 ** 31 - 1,
  seconds: 2 ** 31 - 1,
};

/**
 * Refuses a value that is no whole number, too small, or too large for its unit.
 *
 * @param least - The smallest that is allowed.
 * @param unit - What is counted: `bytes`. Default: nothing is said.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkCount(name: string, value: unknown, least: number, unit?: string): void {
  const most = MOST[unit ?? ''] ?? Number.MAX_SAFE_INTEGER;
  const isCount = (given: unknown): boolean =>
    Number.isSafeInteger(given) && (given as number) >= least && (given as number) <= most;
  const number = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
  const isLarge = typeof value === 'number' && value > most;
  const range = isLarge ? `from ${least} to ${most}` : `${least} or more`;
  check(name, value, isCount(value), `${number}, ${range}`, meantNumber(value, unit, isCount));
}

/**
 * Whether a value is an object of names and values: no list, Map, Set or other object that keeps its content
 * elsewhere, so that no option would be read.
 */
export function isOptionObject(value: unknown): value is object {
  const kind = kindOf(value);
  return typeof value === 'object' && (kind === '[object Object]' || kind === '[object Module]');
}

/** Whether a value is an object with these functions, as one that others have made should have. */
export function hasFunctions(value: unknown, names: readonly string[]): boolean {
  const given = Object(value) as Readonly<Record<string, unknown>>;
  return given === value && names.every((name) => typeof given[name] === 'function');
}

/** Whether a value is a list without holes, which `every` would skip, of such items. */
export function isList<Item>(
  list: unknown,
  isItem: (item: unknown) => item is Item,
): list is readonly Item[];
export function isList(list: unknown, isItem: (item: unknown) => boolean): boolean;
export function isList(list: unknown, isItem: (item: unknown) => boolean): boolean {
  if (!Array.isArray(list)) return false;
  // Ends at the first hole: `Array.from` of four billion holes does not.
  for (let at = 0; at < list.length; at++) if (!isItem(list[at])) return false;
  return true;
}

/** The most of a value that a message shows. */
const MOST_SHOWN = 200;
const MOST_ITEMS = 20;

/** The beginning of a value as text, also of values that `String` rejects: lists with symbols, revoked proxies. */
export function showValue(value: unknown): string {
  const text = toText(value);
  const shown = text.length > MOST_SHOWN ? `${text.slice(0, MOST_SHOWN)}…` : text;
  return typeof value === 'string' ? JSON.stringify(shown) : shown;
}

function toText(value: unknown): string {
  try {
    // Of a function with a name the text is no help.
    if (typeof value === 'function' && value.name !== '') return `[Function ${value.name}]`;
    if (Array.isArray(value)) return `[${value.slice(0, MOST_ITEMS).map(toItem).join(', ')}]`;
    const text = String(value);
    // Of a plain object only the names: a value may be a secret.
    return text === '[object Object]' ? showNames(value as object) : text;
  } catch {
    return kindOf(value);
  }
}

/** Lists in lists could be nested too deep. */
function toItem(item: unknown): string {
  if (typeof item === 'string') return JSON.stringify(item.slice(0, MOST_SHOWN));
  return Array.isArray(item) ? '[…]' : toText(item);
}

function showNames(value: object): string {
  const names = Object.keys(value).slice(0, MOST_ITEMS);
  return names.length === 0 ? '{}' : `{ ${names.map(showName).join(', ')} }`;
}

function kindOf(value: unknown): string {
  try {
    return Object.prototype.toString.call(value);
  } catch {
    return `[${typeof value}]`;
  }
}
