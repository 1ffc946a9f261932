import { standIn } from '../answers/stand-in.ts';
import { check } from '../check-option.ts';
import { ERROR_CODES, type SsrErrorCode } from '../errors.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { namesHtml } from '../http/accept.ts';
import { addVary, type HeaderList, valueOf, withField } from '../http/header-list.ts';
import type { Resource } from '../answers/resource.ts';
import { RETRY_AFTER_SECONDS } from '../answers/refusal.ts';
import type { NonceFiller } from '../answers/nonce.ts';
import {
  ERROR_PAGE_STATUSES,
  type ErrorPageOptions,
  type ErrorPageStatus,
} from './error-page-options.ts';

/** Fields that a page has only at its own address. */
const OF_ITS_ADDRESS = new Set(['accept-ranges', 'cache-status']);
/** Failures are not stored, because they may end at any moment: there is no stored response to validate. */
const VALIDATORS = new Set(['etag', 'last-modified']);

/** The built files that are held, by target. */
interface HeldFiles {
  find(target: string): Resource | undefined;
}

/** Built pages that are answered in place of short texts. */
export class ErrorPages {
  readonly #pages = new Map<number, Resource>();
  readonly #nonce: NonceFiller | undefined;
  /** Built once for each page in each coding. */
  readonly #answers = new Map<SsrErrorCode, WeakMap<Answer, Answer>>();

  /**
   * @param options - `false` for none.
   * @throws SsrError `NG_SSR_OPTION_INVALID` for a page that is named in an option but not held.
   */
  constructor(options: ErrorPageOptions | false, built: HeldFiles, nonce: NonceFiller | undefined) {
    this.#nonce = nonce;
    if (options === false) return;
    for (const status of ERROR_PAGE_STATUSES) {
      const page = findPage(status, options[status], built);
      if (page !== undefined) this.#pages.set(status, page);
    }
    const ofFailures = this.#pages.get(503) ?? this.#pages.get(500);
    if (ofFailures !== undefined) this.#pages.set(503, ofFailures);
  }

  /** The page for paths without one. */
  get notFound(): Resource | undefined {
    return this.#pages.get(404);
  }

  /**
   * The page for an error.
   *
   * @returns undefined if there is none, for methods other than GET and HEAD, and for clients that do not
   * accept HTML: the answer is then a short text.
   */
  answer(code: SsrErrorCode, exchange: Exchange): Answer | undefined {
    const { method } = exchange;
    if (method !== 'GET' && method !== 'HEAD') return undefined;
    const page = this.#pages.get(ERROR_CODES[code]);
    if (page === undefined || !namesHtml(exchange.header('accept'))) return undefined;
    const whole = standIn(page, this.#nonce, exchange);
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
  const status = ERROR_CODES[code];
  let fields: string[] = [];
  for (let i = 0; i < headers.length; i += 2) {
    const name = headers[i]!.toLowerCase();
    const isLeftOut = OF_ITS_ADDRESS.has(name) || (status !== 404 && VALIDATORS.has(name));
    if (!isLeftOut) fields.push(headers[i]!, headers[i + 1]!);
  }
  if (status !== 404) fields = withField(fields, 'Cache-Control', 'no-store');
  fields = withField(fields, 'Vary', varyOf(fields));
  fields.push('Cache-Status', `ng-ssr; detail=${code}`);
  if (status === 503) fields.push('Retry-After', RETRY_AFTER_SECONDS);
  return { status, headers: fields, body };
}

function varyOf(fields: HeaderList): string {
  return addVary(valueOf(fields, 'vary'), 'Accept');
}

function findPage(
  status: ErrorPageStatus,
  path: string | undefined,
  built: HeldFiles,
): Resource | undefined {
  if (path === undefined) {
    return built.find(`/${status}/index.html`) ?? built.find(`/${status}.html`);
  }
  const name = `errorPages.${status}`;
  const page = built.find(path) ?? built.find(`${path}/index.html`);
  const held =
    'a page or file of the build that fits into memory (files.maxFileBytes, files.maxBytes)';
  check(name, path, page !== undefined, held);
  const isHome = page === built.find('/');
  check(name, path, !isHome, 'a page other than that of "/"');
  return page;
}
