import type { Directives } from './cache-control.ts';
import { trimOws } from './optional-whitespace.ts';

/**
 * Reads a CDN-Cache-Control value (RFC 9213 section 2.1): a dictionary of RFC 9651, whose syntax is
 * stricter than that of Cache-Control. Arguments are left as they stand: one of another type than a
 * lifetime's is none to `secondsOf`.
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
    // Of a key that comes twice the last counts; `?0` says that the directive does not apply.
    if (argument === '?0') directives.delete(name);
    else directives.set(name, argument === '?1' ? true : argument);
  }
  return directives;
}

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
  String.raw`%"(?:[ !#$&-~]|%[\da-f]{2})*"`,
].join('|');
const PARAMETERS = `(?:; *${KEY}(?:=(?:${BARE_ITEM}))?)*`;
const ITEM = `(?:${BARE_ITEM})${PARAMETERS}`;
const INNER_LIST = String.raw`\( *(?:${ITEM}(?: +${ITEM})*)? *\)`;
/** One member, with the comma that another must follow (section 4.2.2). */
const MEMBER = new RegExp(
  `(${KEY})(?:=(${BARE_ITEM}|${INNER_LIST}))?${PARAMETERS}(?:$|[ \t]*,[ \t]*(?=.))`,
  'y',
);
