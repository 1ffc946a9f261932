import { randomUUID } from 'node:crypto';
import type { Purge, StoredEntry } from '@ng-ssr/core';
import { EVERYTHING, MAX_PURGES, PurgeRecords, toPurge, toTarget } from '@ng-ssr/core/store';
import type { Row } from './thread-program.ts';

/** A purge that the file may not have. */
export type SentPurge = readonly [target: string, number: number];

// Higher than the version of every purge of a file.
const FIRST_UNCONFIRMED = 2 ** 52;

/** The purges of all processes, as far as this one knows them. */
export class KnownPurges {
  /** Marks the purges of this process in the file. */
  readonly sender: string = randomUUID();
  readonly #onPurge: (purge: Purge) => void;
  #records = new PurgeRecords();
  /** Purges of this process that the file may not have: they apply to every shared page. */
  readonly #unconfirmed = new PurgeRecords();
  #fileId: string | undefined;
  /** The version of the latest purge of the file, up to which all are known. */
  #seen = 0;
  /** Added to versions of the file: those of the next file are greater than all of this one. */
  #base = 1;

  /** @param onPurge - Called with purges of other processes. */
  constructor(onPurge: (purge: Purge) => void) {
    this.#onPurge = onPurge;
  }

  /** As `PageStore.version`; 0 before the file has been read. */
  get version(): number {
    return this.#fileId === undefined ? 0 : this.#base + this.#seen;
  }

  /** The version of the latest purge of the file. */
  get seen(): number {
    return this.#seen;
  }

  /** What a version is in the file; undefined if it is one of an earlier file, whose purges are lost. */
  inFile(version: number): { readonly fileId: string; readonly version: number } | undefined {
    if (this.#fileId === undefined || version < this.#base) return undefined;
    return { fileId: this.#fileId, version: version - this.#base };
  }

  /**
   * Takes purges that were read from the file.
   *
   * @param from - The version after which they were read.
   * @param latest - The version of the latest.
   * @returns whether all up to the latest are known, so that entries of the same state can be judged.
   */
  learn(fileId: string, from: number, latest: unknown, rows: readonly Row[]): boolean {
    if (fileId !== this.#fileId) this.#beginFile(fileId);
    if (from > this.#seen || !isVersion(latest)) return false;
    for (const { target, version, sender } of rows) {
      if (typeof target === 'string' && isVersion(version)) {
        this.#add(target, version, sender !== this.sender);
      }
    }
    this.#seen = Math.max(this.#seen, latest);
    return true;
  }

  stateOf(entry: StoredEntry, version: number): 'current' | 'stale' | 'gone' {
    const state = this.#records.stateOf(entry, version);
    if (state === 'gone' || this.#unconfirmed.size === 0) return state;
    const unconfirmed = this.#unconfirmed.stateOf(entry, version);
    return unconfirmed === 'current' ? state : unconfirmed;
  }

  get unconfirmedCount(): number {
    return this.#unconfirmed.size;
  }

  /** Applies a purge of this process to shared pages, whether or not it reaches the file. */
  add(purge: Purge): SentPurge {
    // A full list replaces its oldest purges by one of everything, which would not be sent.
    const isKept = this.#unconfirmed.size < MAX_PURGES - 1;
    const target = isKept ? toTarget(purge) : EVERYTHING;
    const number = Math.max(this.#unconfirmed.latest + 1, FIRST_UNCONFIRMED);
    this.#unconfirmed.add(target, number);
    return [target, number];
  }

  /** The latest purge of a target: one that reaches the file from now on stands for it. */
  latestOf([target]: SentPurge): SentPurge {
    return [target, this.#unconfirmed.versionOf(target)];
  }

  /** The file has the purge. */
  confirm([target, number]: SentPurge): void {
    this.#unconfirmed.delete(target, number);
  }

  /** Purges of the last file may be lost: what this process has in memory may be older than they are. */
  #beginFile(fileId: string): void {
    const isFirst = this.#fileId === undefined;
    this.#fileId = fileId;
    this.#base += this.#seen + 1;
    this.#seen = 0;
    this.#records = new PurgeRecords();
    if (!isFirst) this.#onPurge({ prefix: '/' });
  }

  #add(target: string, version: number, isOfOthers: boolean): void {
    const purge = toPurge(target);
    if (purge === undefined || !this.#records.add(target, version)) return;
    if (isOfOthers) this.#onPurge(purge);
  }
}

function isVersion(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
