/** A page as the server sends it. */
export interface SiteDocument {
  readonly route: string;
  readonly status: number;
  readonly headers: Headers;
  readonly html: string;
}

export async function readDocument(origin: string, route: string): Promise<SiteDocument> {
  const response = await fetch(origin + route, { headers: { Accept: 'text/html' } });
  const { status, headers } = response;
  return { route, status, headers, html: await response.text() };
}

/** The links of all pages that lead to no page, file or element of the site: `/caching: /nowhere#there`. */
export async function findBroken(
  origin: string,
  documents: ReadonlyMap<string, SiteDocument>,
): Promise<readonly string[]> {
  const ids = new Map([...documents].map(([route, { html }]) => [route, readIds(html)]));
  const files = new Map<string, boolean>();
  const broken: string[] = [];
  for (const { route, html } of documents.values()) {
    for (const link of readLinks(html)) {
      const { origin: target, pathname, hash } = new URL(link, new URL(route, origin));
      if (target !== origin) continue;
      const known = ids.get(pathname);
      if (known === undefined && !files.has(pathname)) {
        files.set(pathname, (await fetch(origin + pathname, { method: 'HEAD' })).ok);
      }
      const isThere = known?.has(decodeURIComponent(hash.slice(1))) ?? files.get(pathname);
      if (!isThere) broken.push(`${route}: ${link}`);
    }
  }
  return [...new Set(broken)];
}

function readLinks(html: string): readonly string[] {
  // The base of every page is the root of the site.
  return [...html.matchAll(/<(?:a|link|script|img)\s[^>]*?(?:href|src)="([^"]+)"/g)].map(
    ([, to]) => (/^[a-z]+:|^\//.test(to!) ? to! : `/${to}`),
  );
}

/** The empty one is the page itself. */
function readIds(html: string): ReadonlySet<string> {
  return new Set(['', ...[...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!)]);
}
