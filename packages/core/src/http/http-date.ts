/** Formats a time in milliseconds as an IMF-fixdate (RFC 9110 section 5.6.7). */
export function toHttpDate(timeMs: number): string {
  return new Date(timeMs).toUTCString();
}

/**
 * Reads an HTTP-date in any of the three forms of RFC 9110 section 5.6.7: IMF-fixdate, rfc850-date and
 * asctime-date.
 *
 * @param nowMs - A two-digit year is the latest one that is at most 50 years after this time.
 * @returns milliseconds, or undefined when the value is not such a date.
 */
export function parseHttpDate(value: string, nowMs: number = Date.now()): number | undefined {
  if (value.length === IMF.length && value.startsWith(', ', 3)) {
    return timeOf(value.slice(5), value.slice(0, 3));
  }
  return value.length === ASCTIME.length ? parseAsctime(value) : parseRfc850(value, nowMs);
}

const IMF = 'Sun, 06 Nov 1994 08:49:37 GMT';
const ASCTIME = 'Sun Nov  6 08:49:37 1994';
/** The part after the name of the day. */
const RFC850 = ', 06-Nov-94 08:49:37 GMT';
/** Of an IMF-fixdate, from its day on. */
const SECOND_AT = 18;

const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

function parseAsctime(value: string): number | undefined {
  if ([3, 7, 10, 19].some((at) => value[at] !== ' ') || value[8] === '0') return undefined;
  // The day has two digits, or a space and one.
  const day = value.slice(8, 10).replace(' ', '0');
  const rest = `${value.slice(4, 7)} ${value.slice(20)} ${value.slice(11, 19)} GMT`;
  return timeOf(`${day} ${rest}`, value.slice(0, 3));
}

function parseRfc850(value: string, nowMs: number): number | undefined {
  const comma = value.length - RFC850.length;
  if (comma < 6 || !DAY_NAMES.includes(value.slice(0, comma))) return undefined;
  const date = value.slice(comma);
  if (!date.startsWith(', ') || date[4] !== '-' || date[8] !== '-') return undefined;
  const latest = new Date(nowMs);
  const century = Math.floor(latest.getUTCFullYear() / 100);
  latest.setUTCFullYear(latest.getUTCFullYear() + 50);
  for (const hundreds of [century + 1, century, century - 1]) {
    const year = `${hundreds}${date.slice(9, 11)}`;
    const timeMs = timeOf(`${date.slice(2, 4)} ${date.slice(5, 8)} ${year}${date.slice(11)}`);
    if (timeMs !== undefined && timeMs <= latest.getTime()) return timeMs;
  }
  return undefined;
}

/**
 * Reads `06 Nov 1994 08:49:37 GMT`, as an IMF-fixdate ends: a date that is written as it was read. A leap second counts
 * as the second after it, and belongs to the day that it ends.
 */
function timeOf(date: string, dayName = ''): number | undefined {
  const isLeap = date.startsWith('60', SECOND_AT);
  const read = isLeap ? `${date.slice(0, SECOND_AT)}59${date.slice(SECOND_AT + 2)}` : date;
  const month = String(1 + MONTHS.indexOf(read.slice(3, 6)) / 3).padStart(2, '0');
  const day = `${read.slice(7, 11)}-${month}-${read.slice(0, 2)}`;
  const timeMs = Date.parse(`${day}T${read.slice(12, 20)}Z`);
  if (Number.isNaN(timeMs)) return undefined;
  const written = toHttpDate(timeMs);
  if (!written.startsWith(dayName) || written.slice(5) !== read) return undefined;
  return isLeap ? timeMs + 1000 : timeMs;
}
