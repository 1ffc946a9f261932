import { SsrError } from './errors.ts';

/**
 * Refuses unknown option names: a misspelt security option must not be ignored silently.
 *
 * @throws SsrError `NG_SSR_OPTION_UNKNOWN`
 */
export function assertKnownOptions(options: object, known: readonly string[]): void {
  for (const name of Object.keys(options)) {
    if (!known.includes(name)) {
      throw new SsrError(
        'NG_SSR_OPTION_UNKNOWN',
        `there is no option ${JSON.stringify(name)}: the options are ${known.join(', ')}`,
      );
    }
  }
}

/**
 * Refuses an option's value that is not allowed.
 *
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function check(name: string, value: unknown, isAllowed: boolean, allowed: string): void {
  if (isAllowed) return;
  const shown = typeof value === 'string' ? JSON.stringify(value) : show(value);
  throw new SsrError(
    'NG_SSR_OPTION_INVALID',
    `${name} is ${shown} (${typeof value}); allowed: ${allowed}`,
  );
}

/**
 * Refuses a value that is no whole number, or too small.
 *
 * @param least - The smallest that is allowed.
 * @param unit - What is counted: `bytes`. Default: nothing is said.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkCount(name: string, value: unknown, least: number, unit?: string): void {
  const isCount = Number.isSafeInteger(value) && (value as number) >= least;
  const number = unit === undefined ? 'a whole number' : `a whole number of ${unit}`;
  check(name, value, isCount, `${number}, ${least} or more`);
}

/** The longest delay that Node's timers accept. */
const MOST_MS = 2 ** 31 - 1;

/**
 * Refuses a value that is no time in milliseconds, or too short or long for a timer.
 *
 * @param least - The shortest that is allowed.
 * @throws SsrError `NG_SSR_OPTION_INVALID`
 */
export function checkMs(name: string, ms: unknown, least: number): void {
  const isTime = Number.isInteger(ms) && (ms as number) >= least && (ms as number) <= MOST_MS;
  check(name, ms, isTime, `a whole number of milliseconds, ${least} or more`);
}

/**
 * Whether a value is an object of names and values: no list, Map, Set or other object that keeps its content
 * elsewhere, so that no option would be read.
 */
export function isOptionObject(value: unknown): value is object {
  const kind = Object.prototype.toString.call(value);
  return typeof value === 'object' && (kind === '[object Object]' || kind === '[object Module]');
}

/** As text, also for values that `String` rejects: lists with symbols, objects without a prototype. */
function show(value: unknown): string {
  try {
    return String(value);
  } catch {
    return Object.prototype.toString.call(value);
  }
}
