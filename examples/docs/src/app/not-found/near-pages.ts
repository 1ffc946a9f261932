const MOST = 5;
/** Below it two addresses have little in common. */
const LEAST = 0.4;

/** Fills the list of a page for 404 with links to the pages whose address or title is like the shown address. */
export function showNearPages(document: Document): void {
  const list = document.querySelector('[data-near]');
  if (list === null) return;
  const wanted = readWords(document.location.pathname);
  const near = [...document.querySelectorAll<HTMLAnchorElement>('.side a')]
    .map((link) => ({ link, likeness: likenessOf(link, wanted) }))
    .sort((a, b) => b.likeness - a.likeness)
    // What is much less alike than the first is no help.
    .filter((page, _at, [best]) => page.likeness >= Math.max(LEAST, best!.likeness * 0.6))
    .slice(0, MOST);
  list.replaceChildren(...near.map(({ link }) => toItem(document, link)));
}

function toItem(document: Document, { pathname, textContent }: HTMLAnchorElement): Element {
  const link = document.createElement('a');
  link.href = pathname;
  link.textContent = textContent;
  const item = document.createElement('li');
  item.append(link);
  return item;
}

function likenessOf({ pathname, textContent }: HTMLAnchorElement, wanted: string): number {
  const last = pathname.split('/').at(-1)!;
  return Math.max(
    ...[pathname, last, textContent].map((text) => likeness(readWords(text), wanted)),
    likeness(last, wanted.split(' ').at(-1)!),
  );
}

function readWords(text: string): string {
  const words =
    decodeURI(text)
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? [];
  return words
    .filter((word) => !['docs', 'guide', 'guides', 'html', 'md'].includes(word))
    .join(' ');
}

/** Dice's coefficient of pairs of letters: 1 for equal texts, 0 for texts without a common pair. */
function likeness(a: string, b: string): number {
  const [pairs, others] = [pairsOf(a), pairsOf(b)];
  const common = [...pairs].filter((pair) => others.has(pair)).length;
  return pairs.size + others.size === 0 ? 0 : (2 * common) / (pairs.size + others.size);
}

function pairsOf(text: string): ReadonlySet<string> {
  return new Set(
    Array.from({ length: Math.max(0, text.length - 1) }, (_, at) => text.slice(at, at + 2)),
  );
}
