import { LRUCache } from '#lru-cache';
import type { CallEvent, StoreEvent } from '../../telemetry/channels.ts';
import type { Explanation } from '../protocol.ts';

type Call = Explanation['calls'][number];

interface Notes {
  notStored: Explanation['notStored'];
  /** The render that made the calls. */
  render: object | undefined;
  calls: Call[];
}

const MOST_PATHS = 1000;
const MOST_CALLS = 20;
/** Longer paths are not noted, and longer URLs are cut. */
const MOST_CHARACTERS = 300;

/** The last calls of each path, and why its page was not stored: of the paths that were rendered last. */
export class PageNotesList {
  readonly #notes = new LRUCache<string, Notes>({ maxSize: MOST_PATHS });

  noteStore({ path, reason }: StoreEvent): void {
    const notes = this.#of(path);
    if (notes !== undefined) {
      notes.notStored = reason === undefined ? undefined : { reason, timeMs: Date.now() };
    }
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

  /** The calls of the last render of a path that has made some. */
  calls(path: string): Explanation['calls'] {
    return this.#notes.get(path)?.calls ?? [];
  }

  #of(path: string): Notes | undefined {
    if (path.length > MOST_CHARACTERS) return undefined;
    let notes = this.#notes.get(path);
    if (notes === undefined) {
      notes = { notStored: undefined, render: undefined, calls: [] };
      this.#notes.set(path, notes, { size: 1 });
    }
    return notes;
  }
}
