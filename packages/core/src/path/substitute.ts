import type { Resource } from '../answers/resource.ts';
import { statusOf } from '../error-statuses.ts';
import type { SsrErrorCode } from '../errors.ts';
import type { Answer } from '../exchange.ts';
import type { FeatureRequest } from './feature-request.ts';

/**
 * What may answer a request in place of a render or a stale page. The request is a GET or HEAD with a well-formed target on
 * an allowed host, and no held file, fresh page or endpoint is its answer. The first substitute that has an answer gives it.
 */
export interface Substitute {
  /**
   * @param asked - The request, or for a HEAD a GET without its Range: the server removes the content.
   * @param request - The request itself.
   * @param isBackground - Whether the server asks for itself, as in prewarming.
   * @returns undefined if the next one is to be asked. What it throws is answered as a failure, and reported.
   */
  answer(
    asked: FeatureRequest,
    request: FeatureRequest,
    isBackground: boolean,
  ): Answer | Promise<Answer | undefined> | undefined;
  /**
   * What explain says of a GET that {@link answer} has an answer for; undefined for others. It has no effect on later
   * requests. Without this method explain names the feature, and goes on to the next substitute.
   */
  says?(request: FeatureRequest): Said | undefined;
}

/** A substitute of a feature that others write. */
export interface InstalledSubstitute extends Substitute {
  /** The name of the feature, if it has no {@link Substitute.says}. */
  readonly silentFeature?: string;
}

/** What explain says that a request is answered with, and why. */
export interface Said {
  /** What answers: a file of the build, a page that is the same for all, the server itself, or a refusal. */
  readonly answer: 'held' | 'constant' | 'server' | 'refused';
  /** Undefined if it depends on more than the request. */
  readonly status: number | undefined;
  /** Whole sentences, the most important one first. */
  readonly reasons: readonly string[];
  /** The content, if it is held. */
  readonly resource?: Resource | undefined;
}

/** What explain says of a refusal. */
export function sayRefused(code: SsrErrorCode, reason: string): Said {
  const reasons = [reason, `The error code is ${code}.`];
  return { answer: 'refused', status: statusOf(code), reasons };
}
