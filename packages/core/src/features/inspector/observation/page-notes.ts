import { LRUCache } from '../../../platform/recently-used.ts';
import { describeBriefly } from '../../../describe-error.ts';
import { SsrError, type SsrErrorCode } from '../../../errors.ts';
import { withoutSecrets } from '../../../without-secrets.ts';
import type { CallEvent, StoreEvent } from '../../../telemetry/channels.ts';
import type { Explanation } from '../protocol.ts';

type Call = Explanation['calls'][number];

interface Notes {
  failure: Explanation['failure'];
  notStored: Explanation['notStored'];
  /** The render that made the calls. */
  render: object | undefined;
  calls: Call[];
}

/** Other errors that name a request, such as an overload, are of no render. */
const OF_RENDERS: ReadonlySet<SsrErrorCode> = new Set<SsrErrorCode>([
  'NG_SSR_RENDER_FAILED',
  'NG_SSR_RENDER_TIMEOUT',
  'NG_SSR_BODY_FAILED',
  'NG_SSR_WORKER_LOST',
]);
/** Method and target, with which messages of failed renders begin. */
const NAME = /^[A-Z]+ (\/\S*) /;
const MOST_PATHS = 1000;
const MOST_CALLS = 20;
/** Longer paths are not noted, and longer URLs are cut. */
const MOST_CHARACTERS = 300;

/** The last calls of each path, its last failure, and why its page was not stored: of the paths that were rendered last. */
export class PageNotesList {
  readonly #notes = new LRUCache<Notes>({ maxSize: MOST_PATHS });

  noteStore({ path, reason }: StoreEvent): void {
    const notes = this.#of(path);
    if (notes !== undefined) {
      notes.notStored = reason === undefined ? undefined : { reason, timeMs: Date.now() };
    }
  }

  /** @param pathOf - The path of a target. */
  noteFailure(error: SsrError, pathOf: (target: string) => string): void {
    const failed = error.cause instanceof SsrError ? error.cause : error;
    const { code, message, cause } = failed;
    if (!OF_RENDERS.has(code)) return;
    const [, target] = NAME.exec(message) ?? [];
    const notes = target === undefined ? undefined : this.#of(pathOf(target));
    if (notes === undefined) return;
    const reason = cause === undefined ? '' : describeBriefly(cause);
    const text = message.includes(reason) ? message : `${message}: ${reason}`;
    const shown = withoutSecrets(text).slice(0, MOST_CHARACTERS);
    notes.failure = { code, message: shown, timeMs: Date.now() };
  }

  /** A render of the path had a page. */
  noteRendered(path: string): void {
    const notes = this.#notes.peek(path);
    if (notes !== undefined) notes.failure = undefined;
  }

  /** @param path - Of the page that has made the call. */
  noteCall(path: string, { render, method, url, rule, result, durationMs }: CallEvent): void {
    const notes = this.#of(path);
    if (notes === undefined) return;
    if (notes.render !== render) {
      notes.render = render;
      notes.calls = [];
    }
    if (notes.calls.length >= MOST_CALLS) return;
    const shown = url.slice(0, MOST_CHARACTERS);
    notes.calls.push({ method, url: shown, rule, result, durationMs });
  }

  /**
   * Why the last render of a path was not stored; undefined if it was.
   *
   * @param path - Normalised, as in the channels.
   */
  notStored(path: string): Explanation['notStored'] {
    return this.#notes.get(path)?.notStored;
  }

  /** How the last render of a path has failed. */
  failure(path: string): Explanation['failure'] {
    return this.#notes.get(path)?.failure;
  }

  /** The calls of the last render of a path that has made some. */
  calls(path: string): Explanation['calls'] {
    return this.#notes.get(path)?.calls ?? [];
  }

  #of(path: string): Notes | undefined {
    if (path.length > MOST_CHARACTERS) return undefined;
    let notes = this.#notes.get(path);
    if (notes === undefined) {
      notes = { failure: undefined, notStored: undefined, render: undefined, calls: [] };
      this.#notes.set(path, notes);
    }
    return notes;
  }
}
