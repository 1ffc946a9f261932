import type { RenderEngine, SsrOptions } from '@ng-ssr/core';
import { type Answer, type StreamedAnswer, SsrHandler } from '@ng-ssr/core/adapter';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { plainExchange } from '../../plain-exchange.ts';

const document = (baseHref: string): string =>
  `<html><head><base href="${baseHref}"></head></html>`;

/** A build with three locales: English and French below their folders, Arabic for the root of a host. */
export const FILES: Readonly<Record<string, string>> = {
  'browser/en/index.csr.html': document('/en/'),
  'browser/fr/index.csr.html': document('/fr/'),
  'browser/ar/index.csr.html': document('/'),
  'browser/en/index.html': prerendered('home en'),
  'browser/fr/index.html': prerendered('home fr'),
  'browser/ar/index.html': prerendered('home ar'),
  'browser/en/about/index.html': prerendered('about en'),
  'browser/fr/about/index.html': prerendered('about fr'),
  'browser/ar/about/index.html': prerendered('about ar'),
  'browser/fr/only/index.html': prerendered('only fr'),
  'browser/fr/404.html': prerendered('404 fr'),
  'browser/en/404.html': prerendered('404 en'),
  'browser/ar/404.html': prerendered('404 ar'),
  'browser/ar/main.js': 'ar',
  'browser/en/main.js': 'en',
  'prerendered-routes.json': JSON.stringify({
    routes: { '/about': { headers: { 'X-Of': 'ar' } }, '/fr/about': { headers: { Link: '</a>' } } },
  }),
};

export interface SiteOptions extends Partial<SsrOptions> {
  readonly render?: SsrOptions['render'];
}

/**
 * A server of such a build.
 *
 * @param page - Renders a page; the path is all that is rendered by default.
 */
export function createSite(
  options: Partial<SsrOptions> = {},
  page: RenderEngine = ({ url }) => new Response(`page ${new URL(url).pathname}`),
  files: Readonly<Record<string, string>> = FILES,
  folders: Readonly<Record<string, string>> = { en: 'en', fr: 'fr', ar: 'ar' },
): SsrHandler {
  return new SsrHandler({
    engine: Object.assign((...args: Parameters<RenderEngine>) => page(...args), {
      locales: () => folders,
    }),
    allowedHosts: ['localhost', 'shop.fr', 'shop.ar'],
    errorDetails: false,
    onError: (error) => {
      throw error;
    },
    ...options,
    files: { folder: writeBuiltSite(files), ...options.files },
  });
}

/** What an adapter answers in the end. */
export async function ask(
  handler: SsrHandler,
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Promise<Answer> {
  const exchange = plainExchange(target, { accept: 'text/html', ...headers }, method);
  const answer: Answer | StreamedAnswer | undefined =
    handler.answer(exchange) ??
    (await handler.largeFile(exchange)) ??
    (await handler.render(exchange));
  if (answer === undefined) return handler.notFound(exchange);
  if ('content' in answer) throw new Error(`${target} is a large file`);
  return answer;
}

export const textOf = ({ body }: Answer): string => Buffer.from(body ?? '').toString();
