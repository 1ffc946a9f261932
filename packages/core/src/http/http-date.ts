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
export function parseHttpDate(value: string, nowMs?: number): number | undefined {
  if (value.length === IMF.length && value.charCodeAt(3) === COMMA) return parseImf(value);
  if (value.length === ASCTIME.length) return parseAsctime(value);
  return parseRfc850(value, nowMs);
}

const IMF = 'Sun, 06 Nov 1994 08:49:37 GMT';
const ASCTIME = 'Sun Nov  6 08:49:37 1994';
/** The part after the name of the day. */
const RFC850 = ', 06-Nov-94 08:49:37 GMT';

const COMMA = 0x2c;
const SPACE = 0x20;

const DAYS = 'SunMonTueWedThuFriSat';
const DAY_NAMES = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];
const MONTHS = 'JanFebMarAprMayJunJulAugSepOctNovDec';

function parseImf(value: string): number | undefined {
  if (!hasAt(value, 4, ' ') || !hasAt(value, 7, ' ') || !hasAt(value, 11, ' ')) return undefined;
  if (!hasAt(value, 16, ' ') || !hasAt(value, 25, ' GMT')) return undefined;
  const year = digitsAt(value, 12, 4);
  const ofDayMs = timeOfDayAt(value, 17);
  const timeMs = toTime(year, monthAt(value, 8), digitsAt(value, 5, 2), ofDayMs);
  return isOnDay(timeMs, ofDayMs, value) ? timeMs : undefined;
}

function parseAsctime(value: string): number | undefined {
  if (!hasAt(value, 3, ' ') || !hasAt(value, 7, ' ')) return undefined;
  if (!hasAt(value, 10, ' ') || !hasAt(value, 19, ' ')) return undefined;
  // The day has two digits, or a space and one.
  const day = value.charCodeAt(8) === SPACE ? digitsAt(value, 9, 1) : digitsAt(value, 8, 2);
  if (value.charCodeAt(8) === 0x30 /* 0 */) return undefined;
  const ofDayMs = timeOfDayAt(value, 11);
  const timeMs = toTime(digitsAt(value, 20, 4), monthAt(value, 4), day, ofDayMs);
  return isOnDay(timeMs, ofDayMs, value) ? timeMs : undefined;
}

function parseRfc850(value: string, nowMs = Date.now()): number | undefined {
  const comma = value.length - RFC850.length;
  if (comma < 6 || !DAY_NAMES.includes(value.slice(0, comma))) return undefined;
  if (!hasAt(value, comma, ', ') || !hasAt(value, comma + 4, '-')) return undefined;
  if (!hasAt(value, comma + 8, '-') || !hasAt(value, comma + 11, ' ')) return undefined;
  if (!hasAt(value, comma + 20, ' GMT')) return undefined;
  const shortYear = digitsAt(value, comma + 9, 2);
  const month = monthAt(value, comma + 5);
  const day = digitsAt(value, comma + 2, 2);
  const ofDayMs = timeOfDayAt(value, comma + 12);
  const latest = new Date(nowMs);
  latest.setUTCFullYear(latest.getUTCFullYear() + 50);
  const century = Math.floor(new Date(nowMs).getUTCFullYear() / 100) * 100;
  for (const year of [century + 100 + shortYear, century + shortYear, century - 100 + shortYear]) {
    const timeMs = toTime(year, month, day, ofDayMs);
    if (timeMs !== undefined && timeMs <= latest.getTime()) return timeMs;
  }
  return undefined;
}

/** @returns undefined where a part is not a number or there is no such day. */
function toTime(year: number, month: number, day: number, ofDayMs: number): number | undefined {
  const date = new Date(0);
  const dayMs = date.setUTCFullYear(year, month, day);
  if (Number.isNaN(dayMs + ofDayMs)) return undefined;
  return date.getUTCDate() === day && date.getUTCMonth() === month ? dayMs + ofDayMs : undefined;
}

/** `08:49:37` in milliseconds; NaN when it is no time. A leap second counts as the second after it. */
function timeOfDayAt(value: string, at: number): number {
  const [hour, minute] = [digitsAt(value, at, 2), digitsAt(value, at + 3, 2)];
  const second = digitsAt(value, at + 6, 2);
  if (!hasAt(value, at + 2, ':') || !hasAt(value, at + 5, ':')) return Number.NaN;
  if (hour > 23 || minute > 59 || second > 60) return Number.NaN;
  return ((hour * 60 + minute) * 60 + second) * 1000;
}

/** 0 for January; NaN for a text that is no month. */
function monthAt(value: string, at: number): number {
  const place = MONTHS.indexOf(value.slice(at, at + 3));
  return place % 3 === 0 ? place / 3 : Number.NaN;
}

/**
 * Compares the day of the date's midnight: a leap second is read as the first second of the next day, but
 * belongs to the day that it ends.
 */
function isOnDay(timeMs: number | undefined, ofDayMs: number, value: string): boolean {
  return timeMs !== undefined && value.startsWith(dayNameOf(timeMs - ofDayMs));
}

function dayNameOf(timeMs: number): string {
  const day = new Date(timeMs).getUTCDay() * 3;
  return DAYS.slice(day, day + 3);
}

function digitsAt(value: string, at: number, count: number): number {
  let number = 0;
  for (let i = at; i < at + count; i++) {
    const digit = value.charCodeAt(i) - 0x30;
    if (!(digit >= 0 && digit <= 9)) return Number.NaN;
    number = number * 10 + digit;
  }
  return number;
}

function hasAt(value: string, at: number, text: string): boolean {
  return value.startsWith(text, at);
}
