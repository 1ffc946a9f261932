import {
  assertKnownOptions,
  check,
  copyOptions,
  isList,
  isOptionObject,
  readOption,
} from '../check-option.ts';
import { SsrError } from '../errors.ts';
import { refuseFormerOptions } from './former-options.ts';

/**
 * What an option takes: it checks what is given and fills in the default.
 *
 * @param name - In full, for messages: `render.timeoutMs`.
 * @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN`
 */
export type Option<Value> = (name: string, given: unknown) => Value;

/**
 * An option for each member of resolved options.
 *
 * @typeParam Context - What else they depend on.
 */
export type Table<Values extends object, Context = undefined> = {
  readonly [Name in keyof Values]-?: (
    name: string,
    given: unknown,
    context: Context,
  ) => Values[Name];
};

/**
 * Reads options by their table. Getters that throw are wrong values.
 *
 * @param context - What the options depend on.
 * @param prefix - Of their names in messages.
 * @throws SsrError `NG_SSR_OPTION_INVALID`; `NG_SSR_OPTION_UNKNOWN`, with the unknown options of all groups.
 */
export function resolveTable<Values extends object, Context>(
  table: Table<Values, Context>,
  options: object,
  context: Context,
  prefix = '',
): Values {
  const given = options as Readonly<Record<string, unknown>>;
  const values: Record<string, unknown> = {};
  const unknown: SsrError[] = [];
  for (const each of Object.keys(table)) {
    const name = prefix + each;
    try {
      values[each] = readOption(name, () =>
        table[each as keyof Values](name, given[each], context),
      );
    } catch (error) {
      if (!(error instanceof SsrError) || error.code !== 'NG_SSR_OPTION_UNKNOWN') throw error;
      unknown.push(error);
    }
  }
  if (unknown.length === 0) return values as Values;
  if (unknown.length === 1) throw unknown[0];
  const messages = unknown.map(({ message }) => message);
  throw new SsrError('NG_SSR_OPTION_UNKNOWN', messages.join('; '));
}

/**
 * Separates an adapter's own options from the core's, of which it knows the names. What is given is copied: a proxy or a
 * getter could throw at any later time.
 *
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`, `NG_SSR_OPTION_INVALID`
 */
export function splitTable<Own extends object, Others extends object>(
  table: Table<Own>,
  names: readonly string[],
  options: Others & Partial<Record<keyof Own, unknown>>,
): { readonly own: Own; readonly others: Others } {
  const copy = copyOptions(options);
  refuseFormerOptions(copy);
  assertKnownOptions(copy, [...names, ...Object.keys(table)]);
  const own = resolveTable(table, copy, undefined);
  const others = Object.entries(copy).filter(([name]) => !Object.hasOwn(table, name));
  return { own, others: Object.fromEntries(others) as Others };
}

/**
 * An option that has to be given.
 *
 * @param allowed - What it takes, in words.
 */
export function option<Value>(takes: (given: unknown) => boolean, allowed: string): Option<Value> {
  return (name, given) => {
    check(name, given, takes(given), allowed);
    return given as Value;
  };
}

/** An option that may be left out. */
export function optional<Value>(of: Option<Value>): Option<Value | undefined> {
  return (name, given) => (given === undefined ? undefined : of(name, given));
}

/** An option with a default. */
export function withDefault<Value>(of: Option<Value>, byDefault: Value): Option<Value> {
  return (name, given) => (given === undefined ? byDefault : of(name, given));
}

/**
 * An object of options. Those of its names that are not in the table are refused: they may be misspelt. Getters that throw
 * are wrong values.
 *
 * @param allowed - What it takes, in words. Default: its names.
 */
export function group<Values extends object>(
  table: Table<Values>,
  allowed?: string,
): Option<Values> {
  const names = Object.keys(table);
  const shown = allowed ?? `an object with ${names.join(', ')}`;
  return (name, given) => {
    check(name, given, isOptionObject(given), shown);
    const options = given as object;
    readOption(name, () => {
      refuseFormerOptions(options, name);
      assertKnownOptions(options, names, name);
    });
    return resolveTable(table, options, undefined, `${name}.`);
  };
}

/** A list. A message about one of its items shows the whole list. */
export function listOf<Item>(
  isItem: (item: unknown) => boolean,
  allowed: string,
): Option<readonly Item[]> {
  return option((given) => isList(given, isItem), allowed);
}

/** A list. A message about one of its items shows that item. */
export function eachOf<Item>(
  isItem: (item: unknown) => boolean,
  allowed: string,
): Option<readonly Item[]> {
  return (name, given) => {
    check(name, given, Array.isArray(given), allowed);
    const list = given as readonly Item[];
    for (const item of list) check(name, item, isItem(item), allowed);
    return list;
  };
}
