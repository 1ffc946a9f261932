/** Says where two pages differ; undefined where they are the same. */
export type Likeness = (page: string, other: string) => string | undefined;

/** What changes from render to render: ids that count up, and what the example says of a render's time. */
const CHANGING: readonly (readonly [pattern: RegExp, to: string])[] = [
  [/((?:mat|cdk|mdc)-[a-z-]*)-\d+/g, '$1-N'],
  [/id="render-count">\d+</g, 'id="render-count">N<'],
  [/datetime="[^"]*">[^<]*/g, 'datetime="T">T'],
  [/"count":\d+,"at":\d+/g, '"count":N,"at":T'],
];

function settle(page: string): string {
  return CHANGING.reduce((text, [pattern, to]) => text.replace(pattern, to), page);
}

function firstDifference(page: string, other: string): string | undefined {
  if (page === other) return undefined;
  let at = 0;
  while (page[at] === other[at]) at++;
  const around = (text: string): string =>
    JSON.stringify(text.slice(Math.max(0, at - 40), at + 60));
  return `differs at ${at}: ${around(page)} and ${around(other)}`;
}

/** Byte for byte, but for what changes from render to render. */
export const isSamePage: Likeness = (page, other) => firstDifference(settle(page), settle(other));

/** The same elements with the same classes, styles and texts in the element whose start this matches. */
export function looksTheSame(root: RegExp): Likeness {
  return (page, other) => firstDifference(visibleOf(page, root), visibleOf(other, root));
}

/** Without what frameworks add for themselves: comments, attributes for hydration, white space. */
export function visibleOf(page: string, root: RegExp): string {
  const from = root.exec(page)?.index;
  if (from === undefined) return '';
  const parts: string[] = [];
  let depth = 0;
  for (const [part] of page.slice(from).matchAll(/<!--.*?-->|<[^>]*>|[^<]+/gs)) {
    if (part.startsWith('<!--')) continue;
    if (part.startsWith('</')) depth--;
    else if (part.startsWith('<')) depth++;
    parts.push(part.startsWith('<') ? toVisibleTag(part) : part.trim());
    if (depth === 0) break;
  }
  return parts.join('');
}

function toVisibleTag(tag: string): string {
  if (tag.startsWith('</')) return '</>';
  const read = (attribute: string): string =>
    new RegExp(` ${attribute}="([^"]*)"`).exec(tag)?.[1] ?? '';
  const style = read('style')
    .replace(/[\s;]+/g, ' ')
    .replaceAll(': ', ':')
    .trim();
  return `<${[/\w+/.exec(tag)?.[0], read('class'), style].join('|')}>`;
}
