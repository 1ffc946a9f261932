import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { SsrError } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import type { PrewarmOptions } from './options/cache-options.ts';

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
  const targets = [...(options.paths ?? [])];
  if (options.sitemap !== undefined) {
    try {
      targets.push(...(await readSitemap(join(browserFolder ?? '.', options.sitemap))));
    } catch (cause) {
      const message = `the sitemap ${options.sitemap} cannot be read`;
      onError(new SsrError('NG_SSR_PREWARM_FAILED', message, { cause }));
    }
  }
  const waiting = new Set(targets);
  const work = async (): Promise<void> => {
    for (const target of waiting) {
      waiting.delete(target);
      if (isStopped()) return;
      const answer = await render(toExchange(target, options));
      if (answer === undefined || answer.status >= 400) {
        const message = `${target} is not prewarmed: its status is ${answer?.status ?? 404}`;
        onError(new SsrError('NG_SSR_PREWARM_FAILED', message));
      }
    }
  };
  await Promise.all(Array.from({ length: options.concurrency ?? 1 }, work));
}

/** The targets a sitemap lists. */
async function readSitemap(file: string): Promise<string[]> {
  const xml = await readFile(file, 'utf8');
  return [...xml.matchAll(/<loc>\s*([^<]+?)\s*<\/loc>/g)].map(([, location]) => {
    const { pathname, search } = new URL(
      location!
        .replaceAll('&apos;', "'")
        .replaceAll('&quot;', '"')
        .replaceAll('&lt;', '<')
        .replaceAll('&gt;', '>')
        .replaceAll('&amp;', '&'),
    );
    return pathname + search;
  });
}

function toExchange(target: string, { origin, headers = {} }: PrewarmOptions): Exchange {
  const { host, port, protocol } = new URL(origin);
  const fields = new Map([
    ['host', host],
    ['accept', 'text/html'],
    ...Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const),
  ]);
  return {
    method: 'GET',
    target,
    encrypted: protocol === 'https:',
    localPort: Number(port),
    status: 200,
    header: (name) => fields.get(name),
    headers: () => fields,
    content: () => Promise.resolve(new Uint8Array()),
  };
}
