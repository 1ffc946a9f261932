import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { parseSitemap, SsrError } from '@ng-ssr/core/pack';

/** How long a server may take to send a sitemap. */
const TIMEOUT_MS = 60_000;

/** The protocol allows 50 MB. More room than that, but not for a gzip bomb. */
const MOST_BYTES = 2 ** 27;

/** A page to render. */
export interface WantedPage {
  readonly url: string;
  /** When it was changed last (`Date.now()`), if the sitemap says so. */
  readonly changedAtMs?: number | undefined;
}

/**
 * The pages of a sitemap, and of the sitemaps that an index lists. Also compressed with gzip.
 *
 * @param source - A URL or a file.
 * @throws SsrError `NG_SSR_SITEMAP_INVALID`
 */
export async function readSitemap(source: string, isListed = false): Promise<WantedPage[]> {
  const { entries, isIndex } = parseSitemap(await readText(source));
  if (isIndex && isListed) throw invalid(source, 'is an index that another index lists');
  if (entries.length === 0) throw invalid(source, 'lists no pages');
  const wrong = entries.find(({ location }) => !isUrl(location));
  if (wrong !== undefined) throw invalid(source, `lists ${JSON.stringify(wrong.location)}, no URL`);
  const pages: WantedPage[] = [];
  for (const { changedAtMs, location } of entries) {
    if (!isIndex) pages.push({ url: location, changedAtMs });
    else for (const page of await readSitemap(location, true)) pages.push(page);
  }
  return pages;
}

/** Whether a text is the URL of a page. */
export function isUrl(text: string): boolean {
  return /^https?:\/\//.test(text) && URL.canParse(text);
}

async function readText(source: string): Promise<string> {
  let bytes: Buffer;
  try {
    bytes = isUrl(source) ? await fetchBytes(source) : await readFile(source);
    if (bytes[0] === 0x1f && bytes[1] === 0x8b)
      bytes = await promisify(gunzip)(bytes, { maxOutputLength: MOST_BYTES });
  } catch (cause) {
    const reason = cause instanceof Error ? ((cause.cause as Error | undefined) ?? cause) : cause;
    throw invalid(source, `cannot be read: ${reason instanceof Error ? reason.message : reason}`);
  }
  return bytes.toString('utf8');
}

async function fetchBytes(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(TIMEOUT_MS) });
  if (!response.ok) throw new Error(`its status is ${response.status}`);
  return Buffer.from(await response.arrayBuffer());
}

function invalid(source: string, what: string): SsrError {
  return new SsrError('NG_SSR_SITEMAP_INVALID', `the sitemap ${source} ${what}`);
}
