import type { BuiltLocale } from './built-locales.ts';
import { standIn } from '../answers/stand-in.ts';
import { check } from '../check-option.ts';
import { statusOf } from '../error-statuses.ts';
import type { SsrErrorCode } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { namesHtml } from '../http/accept.ts';
import { addVary, type HeaderList, valueOf, withHeader } from '../http/header-list.ts';
import type { Resource } from '../answers/resource.ts';
import { RETRY_AFTER_SECONDS } from '../answers/refusal.ts';
import {
  ERROR_PAGE_STATUSES,
  type ErrorPageOptions,
  type ErrorPageStatus,
} from './error-page-options.ts';

/** Headers that a page has only at its own address. */
const OF_ITS_ADDRESS = new Set(['accept-ranges', 'cache-status']);
/** Failures are not stored, because they may end at any moment: there is no stored response to validate. */
const VALIDATORS = new Set(['etag', 'last-modified']);

/** The built files that are held, by target. */
interface HeldFiles {
  find(target: string): Resource | undefined;
  /** Missing where no build is localized. */
  findOf?(locale: BuiltLocale, path: string): Resource | undefined;
}

/** Built pages that are answered in place of short texts. */
export class ErrorPages {
  /** By locale; undefined for those of the whole build. */
  readonly #pages = new Map<BuiltLocale | undefined, ReadonlyMap<number, Resource>>();
  readonly #notFound: Resource[] = [];
  /** Built once for each page in each encoding. */
  readonly #answers = new Map<SsrErrorCode, WeakMap<Answer, Answer>>();

  /** Whether it is a page for paths without one, which is answered with 404 at its own address too. */
  readonly isNotFound = (page: Resource): boolean => this.#notFound.includes(page);

  /**
   * @param options - `false` for none.
   * @param locales - Each may have pages of its own.
   * @throws SsrError `NG_SSR_OPTION_INVALID` for a page that is named in an option but not held.
   */
  constructor(
    options: ErrorPageOptions | false,
    built: HeldFiles,
    locales: readonly BuiltLocale[] = [],
  ) {
    if (options === false) return;
    const finds = new Map<BuiltLocale | undefined, FindFile>();
    finds.set(undefined, (path) => built.find(path));
    for (const locale of locales) finds.set(locale, (path) => built.findOf?.(locale, path));
    for (const status of ERROR_PAGE_STATUSES)
      checkPage(status, options[status], [...finds.values()]);
    for (const [locale, find] of finds) {
      const pages = pagesOf(options, find);
      this.#pages.set(locale, pages);
      const notFound = pages.get(404);
      if (notFound !== undefined) this.#notFound.push(notFound);
    }
  }

  /**
   * The page for an error.
   *
   * @param locale - That of the request; its pages come before those of the whole build.
   * @returns undefined if there is none, for methods other than GET and HEAD, and for clients that do not
   * accept HTML: the answer is then a short text.
   */
  answer(
    code: SsrErrorCode,
    exchange: Exchange,
    locale: BuiltLocale | undefined,
  ): Answer | undefined {
    const { method } = exchange;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const status = statusOf(code);
    const page = this.#pages.get(locale)?.get(status) ?? this.#pages.get(undefined)?.get(status);
    if (page === undefined || !namesHtml(exchange.header('accept'))) return undefined;
    const whole = standIn(page, exchange.client ?? exchange);
    if (whole === undefined) return undefined;
    let answers = this.#answers.get(code);
    if (answers === undefined) this.#answers.set(code, (answers = new WeakMap()));
    let answer = answers.get(whole);
    if (answer === undefined) answers.set(whole, (answer = underCode(code, whole)));
    return answer;
  }
}

/**
 * A 404 has the Cache-Control and the tag of its page: by default it is validated each time, until the
 * path has a page (preconditions are evaluated for a 2xx only, RFC 9110 section 13.2.1). Failures are not
 * stored.
 */
function underCode(code: SsrErrorCode, { headers, body }: Answer): Answer {
  const status = statusOf(code);
  let kept: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase();
    const isLeftOut = OF_ITS_ADDRESS.has(name) || (status !== 404 && VALIDATORS.has(name));
    if (!isLeftOut) kept.push(headers[i]!, headers[i + 1]!);
  }
  if (status !== 404) kept = withHeader(kept, 'Cache-Control', 'no-store');
  kept = withHeader(kept, 'Vary', varyOf(kept));
  kept.push('Cache-Status', `ng-ssr; detail=${code}`);
  if (status === 503) kept.push('Retry-After', RETRY_AFTER_SECONDS);
  return { status, headers: kept, body };
}

function varyOf(headers: HeaderList): string {
  return addVary(valueOf(headers, 'vary'), 'Accept');
}

type FindFile = (path: string) => Resource | undefined;

/** The pages of a locale, or of the whole build. */
function pagesOf(options: ErrorPageOptions, find: FindFile): ReadonlyMap<number, Resource> {
  const pages = new Map<number, Resource>();
  for (const status of ERROR_PAGE_STATUSES) {
    const page = findPage(status, options[status], find);
    if (page !== undefined) pages.set(status, page);
  }
  const ofFailures = pages.get(503) ?? pages.get(500);
  if (ofFailures !== undefined) pages.set(503, ofFailures);
  return pages;
}

function findPage(
  status: ErrorPageStatus,
  path: string | undefined,
  find: FindFile,
): Resource | undefined {
  if (path === undefined) return find(`/${status}/index.html`) ?? find(`/${status}.html`);
  return find(path) ?? find(`${path}/index.html`);
}

/** @throws SsrError `NG_SSR_OPTION_INVALID` for a page that is named in an option but not held. */
function checkPage(
  status: ErrorPageStatus,
  path: string | undefined,
  finds: readonly FindFile[],
): void {
  if (path === undefined) return;
  const name = `errorPages.${status}`;
  const pages = finds.map((find) => findPage(status, path, find));
  const held =
    'a page or file of the build that fits into memory (files.maxFileBytes, files.maxBytes)';
  const isHeld = pages.some((page) => page !== undefined);
  check(name, path, isHeld, held);
  const isHome = pages.some((page, at) => page !== undefined && page === finds[at]!('/'));
  check(name, path, !isHome, 'a page other than that of "/"');
}
