import type { Resource } from '../answers/resource.ts';
import { select } from '../answers/select.ts';
import type { Answer, Exchange } from '../exchange.ts';
import { answerFile, type UnheldFile } from '../files/answer-file.ts';
import type { LargeFile } from '../files/large-file.ts';
import type { RequestFiles } from './request-files.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import type { Failures } from './failures.ts';
import { type Said, sayRefused, type Substitute } from './substitute.ts';

/** Finds a file of another build by its path below the browser folder. Never rejects. */
export type FindOtherFile = (path: string) => Promise<Resource | LargeFile | undefined>;

/**
 * Answers for scripts and styles that this build does not have. One of another build is sent. What has the name of such
 * a file and is none is a short 404: a page in its place would be an error about its type, and a cache could keep it for
 * the time of the next build.
 */
export class MissingFiles implements Substitute {
  readonly #files: RequestFiles;
  readonly #failures: Failures;
  readonly #findOther: FindOtherFile | undefined;

  /** @param findOther - Undefined where there are no other builds. */
  constructor(files: RequestFiles, failures: Failures, findOther: FindOtherFile | undefined) {
    this.#files = files;
    this.#failures = failures;
    this.#findOther = findOther;
  }

  /** Undefined (synchronous) for a path whose name has no hash, as that of every page. Never rejects. */
  answer(
    _asked: ParsedRequest,
    request: ParsedRequest,
  ): Answer | Promise<Answer | undefined> | undefined {
    const path = this.#files.hashedPathOf(request);
    if (path === undefined) return undefined;
    return this.#findOther === undefined
      ? this.#refuse(path, request)
      : this.#answer(path, request);
  }

  says(request: ParsedRequest): Said | undefined {
    const path = this.#files.hashedPathOf(request);
    if (path === undefined || !this.#files.isNamedAsOurs(path)) return undefined;
    const others =
      this.#findOther === undefined ? '' : ' The server would look in the other builds.';
    const reason = `The path looks like a built script or style, and this build has no such file.${others}`;
    return sayRefused('NG_SSR_NOT_FOUND', reason);
  }

  async #answer(path: string, request: ParsedRequest): Promise<Answer | undefined> {
    // A file with a hash in its name is not a page to complete.
    const { client: exchange = request.exchange } = request.exchange;
    try {
      const found = await this.#findOther!(path);
      if (found !== undefined && !('answer' in found)) return select(found, exchange);
      const answer = found && (await answerFile(toWhole(found), exchange, this.#failures.report));
      return answer ?? this.#refuse(path, request);
    } catch (error) {
      return this.#failures.answer(request, error);
    }
  }

  #refuse(path: string, request: ParsedRequest): Answer | undefined {
    const isMissing = this.#files.isNamedAsOurs(path);
    return isMissing ? this.#failures.refuse('NG_SSR_NOT_FOUND', request) : undefined;
  }
}

/** A large file is read to its end. It is sent as a file from its second request on. */
function toWhole(file: LargeFile): UnheldFile<Answer> {
  return {
    absolutePath: file.absolutePath,
    answer: (exchange, onError) => file.answerWhole(exchange, onError),
  };
}

/** Answers with pages of the engine that are the same for every request. */
export class ConstantAnswers implements Substitute {
  readonly #pages: { find(target: string): Resource | undefined };

  constructor(pages: { find(target: string): Resource | undefined }) {
    this.#pages = pages;
  }

  answer(asked: ParsedRequest, { exchange }: ParsedRequest): Answer | undefined {
    const page = this.#find(asked);
    return page && select(page, exchange);
  }

  says(request: ParsedRequest): Said | undefined {
    const resource = this.#find(request);
    if (resource === undefined) return undefined;
    const { status } = resource.identity.full;
    const reasons = ['The page is the same for every request (its route is not rendered).'];
    return { answer: 'constant', status, reasons, resource };
  }

  /** The page of a route with a rule is rendered, because the rule decides how it is stored. */
  #find({ page, target }: ParsedRequest): Resource | undefined {
    return page.rule === undefined ? this.#pages.find(target) : undefined;
  }
}

/** Refuses prefetches, which may cause no render (`render.prefetch: false`). */
export class RefusedPrefetches implements Substitute {
  readonly #failures: Failures;

  constructor(failures: Failures) {
    this.#failures = failures;
  }

  answer(_asked: ParsedRequest, request: ParsedRequest): Answer | undefined {
    if (!isPrefetch(request.exchange)) return undefined;
    return this.#failures.refuse('NG_SSR_PREFETCH_REFUSED', request);
  }

  says({ exchange }: ParsedRequest): Said | undefined {
    if (!isPrefetch(exchange)) return undefined;
    const reason = 'The request is a prefetch, which is not rendered (render.prefetch).';
    return sayRefused('NG_SSR_PREFETCH_REFUSED', reason);
  }
}

/**
 * Whether a request is made ahead of a navigation that may never come: `Sec-Purpose: prefetch`, also with parameters
 * as in `prefetch;prerender`, or the older `Purpose: prefetch`.
 *
 * @see https://wicg.github.io/nav-speculation/prefetch.html#sec-purpose-header
 */
function isPrefetch(exchange: Exchange): boolean {
  const purpose = exchange.header('sec-purpose') ?? exchange.header('purpose');
  return purpose !== undefined && PREFETCH.test(purpose);
}

const PREFETCH = /^[ \t]*prefetch[ \t]*(?:;|$)/i;
