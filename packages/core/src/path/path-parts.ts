import type { Resource } from '../answers/resource.ts';
import type { Answer, StreamedAnswer } from '../exchange.ts';
import type { UnheldFile } from '../files/answer-file.ts';
import type { Pages } from '../pages/pages.ts';
import type { ParsedRequest } from '../pages/parsed-request.ts';
import type { Fallback } from '../render/fallbacks.ts';
import type { AnswerLog } from '../telemetry/request-event.ts';
import type { Endpoint } from './endpoint.ts';
import type { Failures } from './failures.ts';
import type { OverloadFallbacks } from './overload-fallbacks.ts';
import type { PageCompletion } from './page-completion.ts';
import type { PageTimes } from './page-times.ts';
import type { InstalledSubstitute, Substitute } from './substitute.ts';

/** Settings that the request path itself reads. */
export interface PathOptions {
  /** Of routes whose rule has no fallbacks. */
  readonly fallbacks: readonly Fallback[];
  /** Of routes whose rule has no deadline. */
  readonly maxWaitMs: number;
  /** False under `ng serve`, where a developer may have stopped at a breakpoint. */
  readonly hasDeadlines: boolean;
  /** How much later than its deadline a page is given up: where another thread renders, that thread is first. */
  readonly graceMs: number;
  /** Whether answers to unsafe requests invalidate stored pages (RFC 9111 section 4.4). */
  readonly invalidates: boolean;
}

/** The files that requests may ask for, in the order of the path. */
export interface PathFiles {
  /** A file that is held. */
  find(request: ParsedRequest): Resource | undefined;
  /** A file that is not held. */
  findLarge(request: ParsedRequest): UnheldFile | undefined;
  /** Whether a file that is held is answered with 404. */
  readonly isNotFoundPage: (resource: Resource) => boolean;
}

/** What features do with requests: each member is that of all, and undefined if none has it. */
export interface JoinedFeatures {
  /** Called when a request waits for a render, its own or another's. */
  readonly onMiss: ((request: ParsedRequest) => void) | undefined;
  /** Adds headers to each answer that is sent, hits included. */
  readonly finish:
    | (<Sent extends Answer | StreamedAnswer>(answer: Sent, request: ParsedRequest) => Sent)
    | undefined;
  /** Completes pages while they are sent. */
  readonly completion: PageCompletion | undefined;
  /** Adds headers to a page that a request has waited for. */
  readonly timePage: ((answer: Answer, times: PageTimes) => Answer) | undefined;
}

/** The parts of the request path, which are the same on every platform. */
export interface PathParts {
  readonly options: PathOptions;
  readonly files: PathFiles;
  readonly pages: Pages;
  /** Asked by their paths, in this order. */
  readonly endpoints: readonly Endpoint[];
  /** Asked before a render, in this order. */
  readonly substitutes: readonly InstalledSubstitute[];
  /** The one of them that answers for files that are not there. */
  readonly missingFiles: Substitute;
  readonly overload: OverloadFallbacks;
  readonly failures: Failures;
  readonly features: JoinedFeatures;
  /** Gets each answer that is sent to a client. */
  readonly log: AnswerLog | undefined;
}
