/** A code with what is below its heading. */
interface Entry {
  readonly elements: readonly HTMLElement[];
  readonly text: string;
}

/** Hides the entries of an article that do not contain all words, and sections without an entry; returns how many stay. */
export function filterEntries(article: Element, typed: string): number {
  const words = typed.toLowerCase().split(/\s+/);
  let shown = 0;
  for (const { heading, entries } of readSections(article)) {
    const matching = entries.filter(({ text }) => words.every((word) => text.includes(word)));
    for (const entry of entries) {
      for (const element of entry.elements) element.hidden = !matching.includes(entry);
    }
    heading.hidden = matching.length === 0;
    shown += matching.length;
  }
  return shown;
}

function readSections(article: Element): readonly { heading: HTMLElement; entries: Entry[] }[] {
  const sections: { heading: HTMLElement; entries: Entry[] }[] = [];
  let elements: HTMLElement[] = [];
  for (const element of article.children as Iterable<HTMLElement> & HTMLCollection) {
    if (element.tagName === 'H2') {
      sections.push({ heading: element, entries: [] });
    } else {
      if (element.tagName === 'H3') {
        elements = [];
        sections.at(-1)!.entries.push({ elements, text: '' });
      }
      elements.push(element);
    }
  }
  return sections.map(({ heading, entries }) => ({
    heading,
    entries: entries.map((entry) => ({ ...entry, text: textOf(entry.elements) })),
  }));
}

function textOf(elements: readonly HTMLElement[]): string {
  return elements
    .map(({ textContent }) => textContent)
    .join(' ')
    .toLowerCase();
}
