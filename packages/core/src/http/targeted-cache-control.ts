import type { Directives } from './cache-control.ts';
import { trimOws } from './optional-whitespace.ts';

/**
 * Reads a CDN-Cache-Control value (RFC 9213 section 2.1): a dictionary of RFC 9651, whose syntax is stricter
 * than that of Cache-Control. Arguments are kept as they stand: to `secondsOf`, one of a type that no
 * lifetime has is unreadable.
 *
 * @returns undefined when the value is empty or malformed: it then counts as absent.
 */
export function readTargeted(value: string): Directives | undefined {
  const text = trimOws(value);
  if (text === '') return undefined;
  const directives = new Map<string, string | true>();
  for (let at = 0; at < text.length; at = MEMBER.lastIndex) {
    MEMBER.lastIndex = at;
    const member = MEMBER.exec(text);
    if (member === null) return undefined;
    const [, name = '', argument = '?1'] = member;
    // Of a repeated key the last value counts; `?0` means that the directive does not apply.
    if (argument === '?0') directives.delete(name);
    else directives.set(name, argument === '?1' ? true : argument);
  }
  return directives;
}

/** RFC 3629 section 4, each octet beyond ASCII escaped as in a display string. */
const TAIL = String.raw`%[89ab][\da-f]`;
const ESCAPED_UTF8 = [
  String.raw`%[0-7][\da-f]`,
  String.raw`%(?:c[2-9a-f]|d[\da-f])${TAIL}`,
  String.raw`%(?:e0%[ab][\da-f]|e[1-9a-cef]${TAIL}|ed%[89][\da-f])${TAIL}`,
  String.raw`%(?:f0%[9ab][\da-f]|f[1-3]${TAIL}|f4%8[\da-f])${TAIL}${TAIL}`,
].join('|');
const KEY = '[a-z*][a-z0-9_.*-]*';
/** Section 3.3: decimals, integers, strings, tokens, byte sequences, booleans, dates, display strings. */
const BARE_ITEM = [
  String.raw`-?\d{1,12}\.\d{1,3}`,
  String.raw`-?\d{1,15}`,
  String.raw`"(?:[ !#-[\]-~]|\\["\\])*"`,
  String.raw`[A-Za-z*][\w!#$%&'*+.^|~:/\x60-]*`,
  String.raw`:[A-Za-z\d+/=]*:`,
  String.raw`\?[01]`,
  String.raw`@-?\d{1,15}`,
  String.raw`%"(?:[ !#$&-~]|${ESCAPED_UTF8})*"`,
].join('|');
const PARAMETERS = `(?:; *${KEY}(?:=(?:${BARE_ITEM}))?)*`;
const ITEM = `(?:${BARE_ITEM})${PARAMETERS}`;
const INNER_LIST = String.raw`\( *(?:${ITEM}(?: +${ITEM})*)? *\)`;
/** One member, with a comma only if another member follows (section 4.2.2). */
const MEMBER = new RegExp(
  `(${KEY})(?:=(${BARE_ITEM}|${INNER_LIST}))?${PARAMETERS}(?:$|[ \t]*,[ \t]*(?=.))`,
  'y',
);
