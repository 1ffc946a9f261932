import { check, isOptionObject } from '../../check-option.ts';
import { isHeaderName, isHeaderValue } from '../../http/header-syntax.ts';
import { count, flag, text } from '../../options/option-values.ts';
import { group, listOf, option, optional, withDefault } from '../../options/option.ts';

/** Options of `withPrewarm()`. */
export interface PrewarmOptions {
  /** Paths with their query, such as `/products/1`. Default: none. */
  readonly paths?: readonly string[] | undefined;
  /** A sitemap in the browser folder, such as `sitemap.xml`. Default: none. */
  readonly sitemap?: string | undefined;
  /** Origin of the pages, such as `https://shop.example`. */
  readonly origin: string;
  /** Request headers of the renders. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Concurrent renders. Default: 1. */
  readonly concurrency?: number | undefined;
  /** The server is not ready until these pages are rendered. Default: false. */
  readonly blocksReady?: boolean | undefined;
}

const prewarmGroup = group<PrewarmOptions>(
  {
    paths: optional(listOf<string>(isPath, "a list of paths, as in ['/', '/products/1']")),
    sitemap: optional(text(/./s, "a file's path")),
    origin: option<string>(isOrigin, 'an origin, such as "https://shop.example"'),
    headers: optional(
      option<Readonly<Record<string, string>>>(
        (given) => isOptionObject(given) && Object.entries(given).every(isHeader),
        'an object of request headers',
      ),
    ),
    concurrency: withDefault(count(1), 1),
    blocksReady: flag(false),
  },
  'an object with origin, and with paths or sitemap',
);

/** @throws SsrError `NG_SSR_OPTION_INVALID`, `NG_SSR_OPTION_UNKNOWN` */
export function resolvePrewarmOptions(given: PrewarmOptions): PrewarmOptions {
  const checked = prewarmGroup('withPrewarm', given);
  const isSource = checked.paths !== undefined || checked.sitemap !== undefined;
  check('withPrewarm', given, isSource, 'an object with paths or sitemap, besides origin');
  return checked;
}

function isPath(path: unknown): boolean {
  return typeof path === 'string' && path.startsWith('/');
}

function isOrigin(origin: unknown): boolean {
  return (
    typeof origin === 'string' &&
    URL.canParse(origin) &&
    new URL(origin).origin === origin &&
    /^https?:/.test(origin)
  );
}

function isHeader([name, value]: [string, unknown]): boolean {
  return isHeaderName(name) && typeof value === 'string' && isHeaderValue(value);
}
