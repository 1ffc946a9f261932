import { check, checkCount, showValue } from '../check-option.ts';
import { type Option, option, withDefault } from './option.ts';

const trueOrFalse = option<boolean>((given) => typeof given === 'boolean', 'true or false');

/** `true` or `false`. */
export function flag(byDefault: boolean): Option<boolean> {
  return withDefault(trueOrFalse, byDefault);
}

/**
 * A whole number.
 *
 * @param least - The smallest that is allowed.
 * @param unit - What is counted: `bytes`. Default: nothing is said.
 */
export function count(least: number, unit?: string): Option<number> {
  return (name, given) => {
    checkCount(name, given, least, unit);
    return given as number;
  };
}

/** A whole number between two others, which may be given too. */
export function wholeNumber(least: number, most: number): Option<number> {
  return option(
    (given) => Number.isSafeInteger(given) && Number(given) >= least && Number(given) <= most,
    `a whole number from ${least} to ${most}`,
  );
}

/**
 * A time in milliseconds, as timers accept it.
 *
 * @param least - The shortest that is allowed.
 */
export function milliseconds(least: number): Option<number> {
  return count(least, 'milliseconds');
}

/** A function, whatever it takes and returns. */
export function callable<Value>(allowed: string): Option<Value> {
  return option((given) => typeof given === 'function', allowed);
}

/** A string of a form. */
export function text<Value extends string = string>(form: RegExp, allowed: string): Option<Value> {
  return option((given) => typeof given === 'string' && form.test(given), allowed);
}

const TARGET_PATH = /^\/[!-"$->@-~]*$/;

/** A path as it stands in a request target, without a query. */
export const targetPath: Option<string> = (name, given) => {
  const isPath = typeof given === 'string' && TARGET_PATH.test(given);
  const withSlash = `/${typeof given === 'string' ? given : ''}`;
  const isMeant = withSlash !== '/' && TARGET_PATH.test(withSlash);
  const meant = isMeant ? showValue(withSlash) : undefined;
  check(name, given, isPath, 'a path that starts with "/", without a query', meant);
  return given as string;
};
