/** Text content. The four characters that Angular's DOM escapes. */
export function escapeText(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 38 || code === 60 || code === 62 || code === 0xa0) return replaceAll(text);
  }
  return text;
}

function replaceAll(text: string): string {
  return text.replace(/[&<>\u00A0]/g, (character) => {
    if (character === '&') return '&amp;';
    if (character === '<') return '&lt;';
    return character === '>' ? '&gt;' : '&nbsp;';
  });
}

/** An attribute's value, for double quotes. */
export function escapeAttribute(text: string): string {
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i);
    if (code === 38 || code === 34 || code === 60 || code === 62 || code === 0xa0) {
      return replaceAll(text).replaceAll('"', '&quot;');
    }
  }
  return text;
}

/** Raw text in which the element's own closing tag must not end it. */
export function escapeClosingTag(text: string, tag: string): string {
  const closing = `</${tag}`.toLowerCase();
  if (!text.toLowerCase().includes(closing)) return text;
  const pattern = closing.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return text.replace(new RegExp(pattern, 'ig'), (found) => `&lt;${found.slice(1)}`);
}

/** Content of a comment, which must neither end it at its start nor inside. */
export function escapeComment(text: string): string {
  let content = text;
  if (text.startsWith('>')) content = `&gt;${text.slice(1)}`;
  else if (text.startsWith('->')) content = `-&gt;${text.slice(2)}`;
  return content.includes('>') ? content.replace(/(--!?)>/g, '$1&gt;') : content;
}

export function escapeInstruction(text: string): string {
  return text.replaceAll('>', '&gt;');
}

function commentEnd(text: string, start: number): number {
  if (text.charAt(start) === '>') return start + 1;
  if (text.charAt(start) === '-' && text.charAt(start + 1) === '>') return start + 2;
  const match = /--!?>/.exec(text.slice(start));
  return match === null ? -1 : start + match.index + match[0].length;
}

/** Text in `noscript` and its like: comments stay comments, everything else is escaped. */
export function escapeFallbackText(text: string, tags: string[]): string {
  let html = '';
  let at = 0;
  while (at < text.length) {
    const start = text.indexOf('<!--', at);
    if (start < 0) return html + escapeText(text.slice(at));
    html += escapeText(text.slice(at, start));
    const end = commentEnd(text, start + 4);
    html += tags.reduce(escapeClosingTag, end < 0 ? text.slice(start) : text.slice(start, end));
    if (end < 0) return html;
    at = end;
  }
  return html;
}
