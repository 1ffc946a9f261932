import { setTimeout as wait } from 'node:timers/promises';
import { SsrError } from '../../errors.ts';
import type { BuiltIndex } from '../../files/built-index.ts';
import {
  type FileState,
  isSameState,
  readFileState,
  readWholeFile,
} from '../../files/file-part.ts';
import type { HeldResource } from '../../files/held-resource.ts';
import type { LargeFile } from '../../files/large-file.ts';
import { type EncodingJob, makeEncodings } from '../../files/make-encodings.ts';
import { takeFromPack } from '../../files/pack/take-from-pack.ts';
import { BuildFolders } from './build-folders.ts';
import type { ManifestFile } from './build-manifest.ts';
import { BuildsFolder } from './builds-folder.ts';
import type { ResolvedOldBuilds } from './old-builds-options.ts';
import { contentTag, readContentTag } from './content-tag.ts';
import { OutageReport } from '../../outage-report.ts';
import type { KeptFile, KeptSource, OwnBuild } from './kept-source.ts';
import { StoredBuilds } from './stored-builds.ts';

/** Names that are not known are looked up in rounds, so that clients which invent names cause no more than these. */
const ROUND_MS = 200;
const MOST_NAMES = 200;
/** How long a name that was not found is not looked up again. */
const ABSENT_MS = 2000;
/** The most names that are remembered as not found; the oldest are forgotten. */
const MOST_ABSENT = 1000;

/** Files of other builds, each held or known like an own one from the first request on. */
export class OldBuilds {
  readonly #source: KeptSource;
  readonly #built: BuiltIndex;
  readonly #onError: (error: SsrError) => void;
  readonly #damage: OutageReport;
  /** By path, with the time until which it is believed. */
  readonly #absent = new Map<string, number>();
  /** Files of folders without a manifest, by path on the disk, as they were first read. */
  readonly #firstRead = new Map<string, ManifestFile>();
  /** Files that are not what was put there, by path on the disk: none is read again as long as its state stays. */
  readonly #refused = new Map<string, FileState>();
  readonly #loading = new Map<string, Promise<HeldResource | LargeFile | undefined>>();
  #names = new Set<string>();
  #round: Promise<ReadonlyMap<string, KeptFile>> | undefined;
  #lastRoundMs = -ROUND_MS;
  #encodings: Promise<unknown> = Promise.resolve();
  #isClosed = false;

  constructor(
    builds: ResolvedOldBuilds,
    own: OwnBuild,
    built: BuiltIndex,
    onError: (error: SsrError) => void,
  ) {
    this.#source = toSource(builds, own, onError);
    this.#built = built;
    this.#onError = onError;
    this.#damage = new OutageReport(onError);
  }

  /** Offers the own build to servers of others. Never rejects. */
  start(): Promise<void> | void {
    return this.#source.start?.();
  }

  /**
   * Finds a file that no look-up of held or large files has found.
   *
   * @param path - Below the browser folder, with a hash in its name.
   * @returns undefined if no build has it. Never rejects.
   */
  find(path: string): Promise<HeldResource | LargeFile | undefined> {
    const inFlight = this.#loading.get(path);
    if (inFlight !== undefined) return inFlight;
    const loading = this.#find(path).finally(() => this.#loading.delete(path));
    this.#loading.set(path, loading);
    return loading;
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#source.close?.();
  }

  async #find(path: string): Promise<HeldResource | LargeFile | undefined> {
    const file = this.#source.peek?.(path) ?? (await this.#lookUp(path));
    if (file === undefined) return undefined;
    try {
      const found = await this.#load(file);
      if (found !== undefined) this.#damage.succeed();
      return found;
    } catch (cause) {
      // Its build may have been removed, and another one have the file.
      const again = await this.#lookUp(path);
      if (again?.absolutePath !== file.absolutePath) {
        return again && this.#load(again).catch(() => undefined);
      }
      const message = `${file.absolutePath ?? path} of another build cannot be sent`;
      this.#damage.fail(new SsrError('NG_SSR_BUILDS_UNAVAILABLE', message, { cause }));
      return undefined;
    }
  }

  async #lookUp(path: string): Promise<KeptFile | undefined> {
    const untilMs = this.#absent.get(path);
    if (untilMs !== undefined && performance.now() < untilMs) return undefined;
    if (this.#isClosed) return undefined;
    // A crowd of invented names leaves the others what the round learns of all builds.
    if (this.#names.size < MOST_NAMES) this.#names.add(path);
    const found = (await (this.#round ??= this.#runRound())).get(path) ?? this.#source.peek?.(path);
    if (found === undefined) this.#noteAbsent(path);
    return found;
  }

  async #runRound(): Promise<ReadonlyMap<string, KeptFile>> {
    const waitMs = this.#lastRoundMs + ROUND_MS - performance.now();
    // All names that are asked for at the same time are in one round.
    await (waitMs > 0 ? wait(waitMs, undefined, { ref: false }) : Promise.resolve());
    const names = this.#names;
    this.#names = new Set();
    this.#round = undefined;
    this.#lastRoundMs = performance.now();
    return (await this.#source.look?.([...names])) ?? new Map();
  }

  #noteAbsent(path: string): void {
    this.#absent.delete(path);
    this.#absent.set(path, performance.now() + ABSENT_MS);
    if (this.#absent.size <= MOST_ABSENT) return;
    for (const oldest of this.#absent.keys()) {
      this.#absent.delete(oldest);
      return;
    }
  }

  /**
   * @returns undefined if it was refused before, and is still the same.
   * @throws Error if it cannot be read, or is not what was put there.
   */
  async #load({
    path,
    browserFolder,
    absolutePath = '',
    expected,
    content,
  }: KeptFile): Promise<HeldResource | LargeFile | undefined> {
    const nowMs = Math.floor(Date.now() / 1000) * 1000;
    if (content !== undefined) {
      const file = { path, absolutePath, sizeBytes: content.byteLength, modifiedMs: nowMs };
      const { resource, jobs } = this.#built.addOther(file, Buffer.from(content), undefined);
      this.#code(undefined, jobs);
      return resource;
    }
    const present = await readFileState(absolutePath);
    const refused = this.#refused.get(absolutePath);
    if (refused !== undefined && isSameState(refused, present)) return undefined;
    const known = expected ?? this.#firstRead.get(absolutePath);
    const isSize = known === undefined || known.bytes === present.sizeBytes;
    const read = isSize ? await this.#read(absolutePath, present) : undefined;
    if (read === undefined || (known !== undefined && known.tag !== read.tag)) {
      this.#refused.set(absolutePath, present);
      throw new Error('its content has changed');
    }
    const { body, tag, state } = read;
    const { sizeBytes } = state;
    if (known === undefined) this.#firstRead.set(absolutePath, { bytes: sizeBytes, tag });
    const file = { path, absolutePath, sizeBytes, modifiedMs: toSeconds(state.modifiedMs) };
    const { resource, jobs } = this.#built.addOther(file, body, state);
    this.#code(browserFolder, jobs);
    return resource;
  }

  /** The body is undefined for a file that is too large to be held. */
  async #read(path: string, { sizeBytes }: FileState) {
    if (sizeBytes > this.#built.maxFileBytes)
      return { body: undefined, ...(await readContentTag(path)) };
    const { body, state } = await readWholeFile(path, this.#built.maxFileBytes);
    return { body, tag: contentTag(body), state };
  }

  /** Takes encodings from the pack of the file's build, and makes the others one file after the other. */
  #code(browserFolder: string | undefined, jobs: readonly EncodingJob[]): void {
    const claim = (bytes: number): boolean => this.#built.claim(bytes);
    const rest = browserFolder === undefined ? jobs : takeFromPack(browserFolder, jobs, claim).jobs;
    if (rest.length === 0) return;
    this.#encodings = this.#encodings.then(() =>
      makeEncodings(rest, claim, this.#onError, () => this.#isClosed),
    );
  }
}

function toSource(
  builds: ResolvedOldBuilds,
  own: OwnBuild,
  onError: (error: SsrError) => void,
): KeptSource {
  if ('previous' in builds) return new BuildFolders(builds.previous, own.baseHref, onError);
  return 'store' in builds
    ? new StoredBuilds(builds, own, onError)
    : new BuildsFolder(builds, own, onError);
}

function toSeconds(ms: number): number {
  return Math.floor(ms / 1000) * 1000;
}
