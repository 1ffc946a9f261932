import { check, isOptionObject } from '../../check-option.ts';
import { isFieldName, isFieldValue } from '../../http/field-syntax.ts';
import { count, flag, text } from '../../options/option-values.ts';
import { group, listOf, option, optional, withDefault } from '../../options/option.ts';

/** Pages to render when the server starts. */
export interface PrewarmOptions {
  /** Paths with their queries: `/products/1`. Default: none. */
  readonly paths?: readonly string[] | undefined;
  /** The path of a sitemap file, relative to the browser folder. Default: none. */
  readonly sitemap?: string | undefined;
  /** The origin pages are rendered for: `https://shop.example`. */
  readonly origin: string;
  /** Request fields, for pages that depend on them. Default: none. */
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Concurrent renders. Default: 1. */
  readonly concurrency?: number | undefined;
  /** Whether `ready()` waits for these pages. Default: false. */
  readonly blocksReady?: boolean | undefined;
}

const prewarmGroup = group<PrewarmOptions>(
  {
    paths: optional(listOf<string>(isPath, 'a list of paths from "/"')),
    sitemap: optional(text(/./s, "a file's path")),
    origin: option<string>(isOrigin, 'an origin: "https://shop.example"'),
    headers: optional(
      option<Readonly<Record<string, string>>>(
        (given) => isOptionObject(given) && Object.entries(given).every(isField),
        'an object of request field names and values',
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
  check('withPrewarm', given, isSource, 'an object with paths or sitemap');
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

function isField([name, value]: [string, unknown]): boolean {
  return isFieldName(name) && typeof value === 'string' && isFieldValue(value);
}
