/** Rules of RFC 9110 (sections 5.6.1 to 5.6.4 and 8.8.3) as sources of regular expressions. */
export const OWS = String.raw`[ \t]*`;
export const TOKEN = "[!#$%&'*+.^_`|~0-9A-Za-z-]+";
const QUOTED_PAIR = String.raw`\\[\t\x20-\x7e\x80-\xff]`;
export const QUOTED_STRING = String.raw`"(?:[\t !\x23-\x5b\x5d-\x7e\x80-\xff]|${QUOTED_PAIR})*"`;
export const ENTITY_TAG = String.raw`(?:W/)?"[\x21\x23-\x7e\x80-\xff]*"`;

/** `#element` as recipients must read it: with empty elements (section 5.6.1.2). */
export function listOf(element: string): string {
  return `${OWS}(?:${element})?(?:${OWS},${OWS}(?:${element})?)*${OWS}`;
}

/** Whether the whole of a text follows a rule. */
export function follows(text: string, rule: string): boolean {
  return new RegExp(`^(?:${rule})(?![^])`).test(text);
}

/** The elements of a text that follows `#element`, each with the groups of the rule. */
export function elementsOf(text: string, element: string): RegExpExecArray[] {
  return [...text.matchAll(new RegExp(element, 'g'))];
}

/** The text of a quoted-string (section 5.6.4), or a token as it stands. */
export function unquoted(text: string): string {
  return text.startsWith('"') ? text.slice(1, -1).replaceAll(/\\([^])/g, '$1') : text;
}
