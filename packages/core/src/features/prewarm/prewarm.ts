import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SsrError } from '../../errors.ts';
import type { Answer, Exchange } from '../../exchange.ts';
import { valueOf } from '../../http/header-list.ts';
import { ownExchange } from '../../pages/own-exchange.ts';
import { parseSitemap } from '../../sitemap.ts';
import type { PrewarmOptions } from './prewarm-options.ts';

/**
 * Renders pages before they are requested, a few at a time, so that requests are answered meanwhile.
 *
 * @param render - As for a request.
 * @param isStopped - Called between pages.
 * @returns resolves when all are done; a page that fails is reported and skipped.
 */
export async function prewarm(
  options: PrewarmOptions,
  browserFolder: string | undefined,
  render: (exchange: Exchange) => Promise<Answer | undefined>,
  onError: (error: SsrError) => void,
  isStopped: () => boolean,
): Promise<void> {
  const report = (message: string, cause?: unknown): void =>
    onError(new SsrError('NG_SSR_PREWARM_FAILED', message, { cause }));
  const targets = [...(options.paths ?? [])];
  if (options.sitemap !== undefined) {
    const file = join(browserFolder ?? '.', options.sitemap);
    const complain = (what: string, cause?: unknown): void =>
      report(`the sitemap ${options.sitemap} ${what}`, cause);
    targets.push(...(await readSitemap(file, complain)));
  }
  const waiting = new Set(targets);
  const work = async (): Promise<void> => {
    for (const target of waiting) {
      waiting.delete(target);
      if (isStopped()) return;
      const answer = await render(toExchange(target, options));
      if (answer === undefined || answer.status >= 400) {
        report(`${target} is not prewarmed: its status is ${answer?.status ?? 404}`);
        continue;
      }
      const how = valueOf(answer.headers, 'cache-status') ?? '';
      // Files of the build and pages that another request has had stored are hits.
      if (!/; (?:hit|stored)/.test(how)) {
        report(`${target} is not prewarmed: it may not be cached (Cache-Status: ${how})`);
      }
    }
  };
  const length = Math.min(options.concurrency ?? 1, waiting.size);
  await Promise.all(Array.from({ length }, work));
}

/**
 * The targets a sitemap lists.
 *
 * @param complain - Called once, if the sitemap lists no pages or something else besides them.
 */
async function readSitemap(
  file: string,
  complain: (what: string, cause?: unknown) => void,
): Promise<string[]> {
  try {
    const xml = await readFile(file, 'utf8');
    const { entries, isIndex } = parseSitemap(xml);
    if (isIndex) {
      complain('lists other sitemaps: set withPrewarm.sitemap to one of them');
      return [];
    }
    const locations = entries.map(({ location }) => location);
    const targets = locations.map(toTarget).filter((target) => target !== undefined);
    const bad = locations.find((location) => toTarget(location) === undefined);
    const skipped = locations.length - targets.length;
    if (locations.length === 0) complain('lists no pages');
    if (skipped > 0)
      complain(`has ${skipped} <loc> without an absolute URL, which are skipped: ${bad}`);
    return targets;
  } catch (cause) {
    complain('cannot be read', cause);
    return [];
  }
}

/** Undefined for what is not an absolute URL of a page. */
function toTarget(location: string): string | undefined {
  const url = URL.canParse(location) ? new URL(location) : undefined;
  return url && /^https?:$/.test(url.protocol) ? url.pathname + url.search : undefined;
}

function toExchange(target: string, { origin, headers = {} }: PrewarmOptions): Exchange {
  const lower = Object.entries(headers).map(
    ([name, value]) => [name.toLowerCase(), value] as const,
  );
  return ownExchange(origin, target, lower);
}
