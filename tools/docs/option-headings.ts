import type { OptionSection } from './option-sections.ts';
import type { OptionRow } from './option-tables.ts';

/** Sections whose options messages name with the section: `withInspector.token`, `listen.port`. */
const NAMED = /^(with[A-Z]\w+|listen)$/;

/** Makes the headings of one page, which keep their own anchors where GitHub would name them otherwise. */
export class OptionHeadings {
  readonly #used = new Set<string>();

  /** A heading of the second level, which starts a section. */
  ofSection({ title }: OptionSection): string {
    this.#used.add(toSlug(title));
    return `## ${title}`;
  }

  /** A heading with the full name of an option: `cache.maxBytes` has the anchor `cache-maxbytes`. */
  ofOption(section: OptionSection, row: OptionRow, level: 3 | 4): string {
    const name = nameOf(section, row);
    const own = toSlug(name);
    const isFree = !this.#used.has(own);
    this.#used.add(own);
    const wanted = anchorsOf(section, row).filter((anchor) => anchor !== own || !isFree);
    for (const anchor of wanted) this.#used.add(anchor);
    const targets = wanted.map((anchor) => `<a id="${anchor}"></a>`);
    return `${'#'.repeat(level)} ${targets.join('')}\`${name}\``;
  }
}

/** As messages name an option. */
function nameOf({ title }: OptionSection, { path }: OptionRow): string {
  return NAMED.test(title) ? `${title}.${path}` : path;
}

/** The first is of the option, the second of the options that it contains: `routerules`, `routerulespath`. */
function anchorsOf({ prefix }: OptionSection, { path, tablePath }: OptionRow): string[] {
  const anchor = toAnchor(prefix === '' ? path : `${prefix}.${path}`);
  if (tablePath === undefined) return [anchor];
  const inside = toSlug(prefix === '' ? tablePath : `${prefix} ${tablePath}`);
  return [...new Set([anchor, inside])];
}

/** Of an option's full name: `cache-maxbytes`. */
export function toAnchor(name: string): string {
  return name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
}

function toSlug(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^a-z0-9 -]/g, '')
    .replaceAll(' ', '-');
}
