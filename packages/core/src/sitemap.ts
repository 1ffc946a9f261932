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

/** Reads each `<loc>` of a sitemap, with the `<lastmod>` behind it. */
export function parseSitemap(xml: string): Sitemap {
  const entries = [...xml.matchAll(/<loc>(.*?)<\/loc>((?:(?!<loc>).)*)/gs)].map(([, loc, rest]) => {
    const changedAtMs = Date.parse(toText(/<lastmod>(.*?)<\/lastmod>/s.exec(rest!)?.[1] ?? ''));
    const isTime = !Number.isNaN(changedAtMs);
    return { location: toText(loc!), changedAtMs: isTime ? changedAtMs : undefined };
  });
  return { isIndex: /<sitemapindex[\s>]/.test(xml), entries };
}

/** The text of an XML element without children. */
function toText(content: string): string {
  const text = content.trim();
  const literal = /^<!\[CDATA\[(.*)\]\]>$/s.exec(text)?.[1];
  if (literal !== undefined) return literal.trim();
  return text
    .replaceAll('&apos;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&');
}
