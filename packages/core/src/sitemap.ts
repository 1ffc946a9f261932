/** A sitemap (https://www.sitemaps.org/protocol.html), or an index of sitemaps. */
export interface Sitemap {
  readonly isIndex: boolean;
  readonly entries: readonly SitemapEntry[];
}

/** A page of a sitemap, or a sitemap of an index. */
export interface SitemapEntry {
  /** As it is written: possibly no URL. */
  readonly location: string;
  /** When it was changed last (`Date.now()`). A date without a time is its midnight in UTC. */
  readonly changedAtMs: number | undefined;
}

/** Reads each `<loc>` of a sitemap, with the `<lastmod>` of its entry. */
export function parseSitemap(xml: string): Sitemap {
  const code = xml.replace(/<!--.*?-->/gs, '');
  const entries = code.split(/<(?:url|sitemap)[\s>]/).flatMap((entry): SitemapEntry[] => {
    const location = textIn('loc', entry);
    if (location === undefined) return [];
    const changedAtMs = Date.parse(textIn('lastmod', entry) ?? '');
    return [{ location, changedAtMs: Number.isNaN(changedAtMs) ? undefined : changedAtMs }];
  });
  return { isIndex: /<sitemapindex[\s>]/.test(code), entries };
}

function textIn(name: string, entry: string): string | undefined {
  const at = entry.indexOf(`<${name}>`);
  const end = at === -1 ? -1 : entry.indexOf(`</${name}>`, at);
  return end === -1 ? undefined : toText(entry.slice(at + name.length + 2, end));
}

/** The text of an XML element without children. */
function toText(content: string): string {
  const text = content.trim();
  const literal = /^<!\[CDATA\[(.*)\]\]>$/s.exec(text)?.[1];
  if (literal !== undefined) return literal.trim();
  return text.replace(
    REFERENCE,
    (_, name: string, hex: string | undefined, decimal: string) =>
      NAMED.get(name) ?? String.fromCharCode(Number.parseInt(hex ?? decimal, hex ? 16 : 10)),
  );
}

const REFERENCE = /&(?:(amp|apos|gt|lt|quot)|#x([\da-fA-F]{1,4})|#(\d{1,4}));/g;
const NAMED = new Map(Object.entries({ amp: '&', apos: "'", gt: '>', lt: '<', quot: '"' }));
