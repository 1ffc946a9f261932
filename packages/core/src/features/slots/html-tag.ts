/** Attributes of a tag: their names, and their values in quotes or without. */
export const ATTRIBUTES: string = /(?:\s+[^\s"'<>/=]+(?:\s*=\s*(?:"[^"]*"|'[^']*'|[^\s"'=<>`]+))?)*/
  .source;

/** Elements without content. */
export const VOID: ReadonlySet<string> = new Set([
  ...['area', 'base', 'br', 'col', 'embed', 'hr', 'img', 'input', 'link', 'meta', 'source'],
  ...['track', 'wbr'],
]);

/** Elements whose content is text. */
export const OF_TEXT: ReadonlySet<string> = new Set([
  ...['iframe', 'noembed', 'noframes', 'noscript', 'plaintext', 'script', 'style', 'textarea'],
  ...['title', 'xmp'],
]);
