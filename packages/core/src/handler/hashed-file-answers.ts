import { select } from '../answers/select.ts';
import type { Answer } from '../exchange.ts';
import { answerFile, type UnheldFile } from '../files/answer-file.ts';
import type { LargeFile } from '../files/large-file.ts';
import type { Visit } from '../pages/visit.ts';
import type { PathParts } from './path-parts.ts';

/**
 * Answers for scripts and styles that this build does not have. One of another build is sent. What has the name of such
 * a file and is none is a short 404: a page in its place would be an error about its type, and a cache could keep it for
 * the time of the next build.
 */
export class HashedFileAnswers {
  readonly #parts: PathParts;

  constructor(parts: PathParts) {
    this.#parts = parts;
  }

  /** Undefined (synchronous) for a path whose name has no hash, as that of every page. Never rejects. */
  answer(visit: Visit): Promise<Answer | undefined> | undefined {
    const path = this.#pathOf(visit);
    return path === undefined ? undefined : this.#answer(path, visit);
  }

  /** The 404 for the name of a file that is not there; undefined for other names. */
  refuse(visit: Visit): Answer | undefined {
    const { built, failures } = this.#parts;
    const path = this.#pathOf(visit);
    const isMissing = path !== undefined && built.hashed?.isAmongThem(path) === true;
    return isMissing ? failures.refuse('NG_SSR_NOT_FOUND', visit) : undefined;
  }

  async #answer(path: string, visit: Visit): Promise<Answer | undefined> {
    const { failures, nonce, otherBuilds, report } = this.#parts;
    const { exchange } = visit;
    try {
      const found = await otherBuilds?.find(path);
      if (found !== undefined && !('answer' in found)) return select(found, exchange, nonce);
      const answer = found && (await answerFile(toWhole(found), exchange, report));
      return answer ?? this.refuse(visit);
    } catch (error) {
      return failures.answer(visit, error);
    }
  }

  /** The path below the browser folder, on a host with a locale at its root too. */
  #pathOf(visit: Visit): string | undefined {
    const { built, locales } = this.#parts;
    const path = built.hashed?.pathOf(visit.targetBelowMount);
    return path && (locales?.folderOf(visit) ?? '') + path;
  }
}

/** A large file is read to its end. It is sent as a file from its second request on. */
function toWhole(file: LargeFile): UnheldFile<Answer> {
  return {
    absolutePath: file.absolutePath,
    answer: (exchange, onError) => file.answerWhole(exchange, onError),
  };
}
