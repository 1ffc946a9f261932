/**
 * What a terminal could act on or hide: control characters with escape sequences among them, characters that turn the
 * direction of text, invisible ones, and those that no Unicode version has.
 */
const UNSHOWN = /[\p{C}\p{Zl}\p{Zp}]/gu;
/** More marks than this on one letter would cover other lines. */
const MARKS = /(\p{M}{2})\p{M}+/gu;

/** Text that came from a request or a server, as a terminal may show it: what is not printed is written as `\u{1b}`. */
export function shownText(text: string): string {
  return text
    .replace(UNSHOWN, (character) => `\\u{${character.codePointAt(0)!.toString(16)}}`)
    .replace(MARKS, '$1');
}

/** JSON in which no terminal finds escape sequences. */
export function shownJson(value: unknown): string {
  return JSON.stringify(value, undefined, 2).replace(/[^\n\P{C}]|[\p{Zl}\p{Zp}]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, at) => `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`,
    ).join(''),
  );
}
