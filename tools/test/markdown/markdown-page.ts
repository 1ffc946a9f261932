/** The parts of a Markdown page that links need. */
export interface MarkdownPage {
  /** The headings of the first level. */
  readonly titles: readonly string[];
  /** The anchors of all headings, as GitHub names them, and the targets `<a id="…">`. */
  readonly anchors: ReadonlySet<string>;
  /** The targets of its links and images. */
  readonly links: readonly string[];
}

/** A target of links, such as in front of the text of a heading. */
const TARGET = /<a id="([\w-]+)">(?:<\/a>)?/g;
const FENCE = /^ *(`{3,}|~{3,})/;

/** Reads a page of GitHub's Markdown. Code has neither headings nor links. */
export function readMarkdown(page: string): MarkdownPage {
  const lines = withoutFences(page.split('\n'));
  const headings = lines.flatMap((line) => {
    const [, marks, title] = /^(#{1,6}) +(.+?) *#*$/.exec(line) ?? [];
    return marks === undefined ? [] : [{ level: marks.length, title: title! }];
  });
  const text = withoutCode(lines.join('\n'));
  return {
    titles: headings.filter(({ level }) => level === 1).map(({ title }) => title),
    anchors: new Set([...toAnchors(headings.map(({ title }) => title)), ...toTargets(text)]),
    links: toLinks(text),
  };
}

function withoutFences(lines: readonly string[]): string[] {
  let fence: string | undefined;
  return lines.filter((line) => {
    const mark = FENCE.exec(line)?.[1];
    if (fence === undefined) fence = mark;
    else if (mark?.startsWith(fence) && line.trim() === mark) {
      fence = undefined;
      return false;
    }
    return fence === undefined;
  });
}

function toTargets(text: string): string[] {
  return [...text.matchAll(TARGET)].map(([, id]) => id!);
}

function withoutCode(text: string): string {
  return text.replaceAll(/(`+)[^`].*?\1/gs, '');
}

/** A repeated heading gets a number, as on GitHub. */
function toAnchors(titles: readonly string[]): Set<string> {
  const anchors = new Set<string>();
  for (const title of titles) {
    const anchor = toAnchor(title);
    let unique = anchor;
    for (let count = 1; anchors.has(unique); count++) unique = `${anchor}-${count}`;
    anchors.add(unique);
  }
  return anchors;
}

function toAnchor(title: string): string {
  return title
    .replaceAll(TARGET, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function toLinks(text: string): string[] {
  const patterns = [
    /\]\(<?([^()\s>]+(?:\([^()\s]*\)[^()\s]*)*)>?(?:\s+"[^"]*")?\)/g,
    /^ {0,3}\[[^\]]+\]: +<?([^\s>]+)/gm,
    /\b(?:href|src)="([^"]+)"/g,
  ];
  return patterns.flatMap((pattern) => [...text.matchAll(pattern)].map(([, target]) => target!));
}
