import type { Resource } from '../answers/resource.ts';
import { select } from '../answers/select.ts';
import type { Answer } from '../exchange.ts';
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
