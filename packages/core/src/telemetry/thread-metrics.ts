import type { SlotEvent } from './channels.ts';

/** Answered requests with one result and status, of a thread that is not the main one. */
export interface RequestCount {
  readonly result: string;
  readonly status: number;
  readonly count: number;
}

/** What a thread that is not the main one has done. */
export type ThreadCount = RequestCount | SlotEvent;

/** The metrics of one call of `collectMetrics`, for other threads. */
export interface Collection {
  /** The values of all metrics as prom-client reads them, by name. */
  read(): Promise<unknown>;
  /** Adds the requests that another thread has answered, and their slots. */
  add(counts: readonly ThreadCount[]): void;
  /** The requests and slots since the last call, of a thread that is not the main one. */
  takeCounts(): readonly ThreadCount[];
}

/** In order of their calls: the program makes the same ones in every thread. */
export const collections: Collection[] = [];

/** In the main thread: get the counts of other threads. Never reject. */
export const countSources: Set<() => Promise<void>> = new Set();

let readMain: ((collection: number) => Promise<unknown>) | undefined;

/** In a server thread: reads a collection's values, those of all threads, from the main thread. */
export function readFromMain(read: (collection: number) => Promise<unknown>): void {
  readMain = read;
}

/** @see {@link readFromMain} */
export function readCollection(collection: number): Promise<unknown> {
  return readMain?.(collection) ?? Promise.resolve([]);
}

/** Gets the counts of all threads. */
export async function gatherCounts(): Promise<void> {
  await Promise.all([...countSources].map((gather) => gather()));
}
