import type { BuiltFiles } from '../../path/request-files.ts';
import {
  type HintedLink,
  LINK_KINDS,
  type LinkKind,
  toHintedLink,
  toModuleLink,
} from './hinted-link.ts';
import { type Attributes, startTagsOf } from './start-tags.ts';

/** The document that the CLI has written for the browser, of the application or of one of its locales. */
interface BuiltDocument {
  readonly baseHref: string;
  /** Its links, as a 103 for a page of which no more is known. */
  readonly hints: readonly string[];
  readonly all: ReadonlySet<string>;
}

/** The files that each kind of link may load. */
const NAMES: Readonly<Record<LinkKind, RegExp | undefined>> = {
  preconnect: undefined,
  style: /\.css$/,
  font: /\.(?:woff2?|ttf|otf)$/,
  module: /\.m?js$/,
};

/** Proxies read the headers of an interim response into a buffer, of 4 KiB by default in nginx. */
const MOST_HINTS = 24;
const MOST_LENGTH = 3000;

/**
 * The links of pages that the build vouches for. A page may be rendered for one client, and its links may
 * contain personal data (`/user/ada.css?token=...`); a hint that is learned from it goes to other clients. So
 * every hint is a link of a built document, letter for letter, or the name of a built file without a query:
 * anybody may read both.
 */
export class BuiltLinks {
  readonly #built: BuiltFiles;
  /** By folder: empty for that of the application, that of a locale otherwise. */
  readonly #documents = new Map<string, BuiltDocument>();
  readonly #none: BuiltDocument;

  constructor(built: BuiltFiles) {
    this.#built = built;
    this.#none = { baseHref: built.baseHref, hints: [], all: new Set() };
  }

  /** The links of the built document in which the page of a path is rendered. */
  ofDocument(path: string): readonly string[] {
    return this.#documentOf(path).hints;
  }

  /**
   * The links of a page that may be hinted to all clients.
   *
   * @param path - Of the page.
   */
  ofPage(path: string, html: Uint8Array): readonly string[] {
    const { baseHref, all } = this.#documentOf(path);
    const links = linksOf(html, baseHref).filter(
      (link) => all.has(link.hint) || this.#isBuiltFile(link),
    );
    return toHints(links);
  }

  #documentOf(path: string): BuiltDocument {
    const { baseHref } = this.#built;
    const start = path.startsWith(baseHref) ? baseHref.length : 1;
    const end = path.indexOf('/', start);
    const first = path.slice(start, end === -1 ? undefined : end);
    const ofLocale = first === '' ? undefined : this.#document(`/${first}`);
    return ofLocale ?? this.#document('') ?? this.#none;
  }

  /** Remembers those that exist: requests name any number of folders. */
  #document(folder: string): BuiltDocument | undefined {
    const known = this.#documents.get(folder);
    if (known !== undefined) return known;
    // A build without a CSR page has its document under the usual name.
    const file =
      this.#built.find(`${folder}/index.csr.html`) ??
      (folder === '' ? this.#built.find('/index.html') : undefined);
    if (file === undefined) return undefined;
    const [base] = startTagsOf(file.body, 'base');
    const baseHref = base?.get('href') ?? this.#built.baseHref;
    const links = linksOf(file.body, baseHref);
    const all = new Set(links.map(({ hint }) => hint));
    const document = { baseHref, hints: toHints(links), all };
    this.#documents.set(folder, document);
    return document;
  }

  /** Only the name in its one spelling: a page could hide data in needless escapes. */
  #isBuiltFile({ kind, target, hint }: HintedLink): boolean {
    const isNamed = NAMES[kind]?.test(target) === true;
    if (!isNamed || target.includes('?') || hint.includes('; integrity=')) return false;
    const file = this.#built.find(target) ?? this.#built.findLarge(target);
    if (file === undefined) return false;
    const name = file.path.split('/').map(encodeURIComponent).join('/');
    return target === name || target === this.#built.baseHref.slice(0, -1) + name;
  }
}

function linksOf(html: Uint8Array, baseHref: string): HintedLink[] {
  const links: HintedLink[] = [];
  const add = (tag: Attributes | undefined): void => {
    const link = tag && toHintedLink(tag, baseHref);
    if (link !== undefined) links.push(link);
  };
  // The application itself first: what its route needs may not fit.
  for (const tag of startTagsOf(html, 'script')) add(toModuleLink(tag));
  for (const tag of startTagsOf(html, 'link')) add(tag);
  return links;
}

/** Each hint once, the most urgent first, within the bounds of a 103. */
function toHints(links: readonly HintedLink[]): readonly string[] {
  const inOrder = LINK_KINDS.flatMap((kind) => links.filter((link) => link.kind === kind));
  const hints = new Set<string>();
  let length = 0;
  for (const { hint } of inOrder) {
    if (hints.has(hint)) continue;
    length += hint.length + 2;
    if (length > MOST_LENGTH || hints.size === MOST_HINTS) break;
    hints.add(hint);
  }
  return [...hints];
}
