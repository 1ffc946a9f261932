import { AsyncLocalStorage } from 'node:async_hooks';
import { noticeOfUnencoded } from '../files/file-notices.ts';
import { type Encodable, type EncodingJob, makeEncodings } from '../files/make-encodings.ts';
import type { ReadyState } from '../probes/probes.ts';
import type { ServerLifecycle } from '../threads/server-threads.ts';
import type { Parts } from './compose-on-node.ts';
import { closeAll } from './close-all.ts';
import { spareTime } from './spare-time.ts';
import { startFeatures } from './start-features.ts';
import { noticesOfUnmatched } from './unmatched-rules.ts';

/** Starts and closes a handler. */
export class Lifecycle implements ServerLifecycle {
  readonly #parts: Parts;
  /** The first request triggers the start, which must not run in that request's async context. */
  readonly #runAtStart = AsyncLocalStorage.snapshot();
  #isReady: boolean;
  #isDraining = false;
  #onState: (state: ReadyState) => void = () => undefined;
  #isClosed = false;
  #ready: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    const { options, runtime } = parts;
    const extensions = [...parts.server.extensions.values()];
    const isDelayed = extensions.some(({ delaysReady }) => delaysReady === true);
    const hasThreads = runtime.renderThreads !== undefined;
    this.#isReady = options.files.folder === undefined || (!hasThreads && !isDelayed);
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  probeState(): ReadyState {
    void this.ready();
    return this.#state;
  }

  watch(onState: (state: ReadyState) => void): void {
    this.#onState = onState;
  }

  ready(): Promise<void> {
    if (this.#ready !== undefined) return this.#ready;
    // A request after the end starts nothing.
    if (this.#isClosed) return Promise.resolve();
    // What starts may ask for this promise: prewarming renders, and the first render calls this method.
    let started = Promise.resolve(true);
    this.#ready = this.#runAtStart(() => Promise.resolve().then(() => this.#start(started)));
    started = this.#runAtStart(() => startFeatures(this.#parts));
    return this.#ready;
  }

  hold(): void {
    this.#ready ??= Promise.resolve();
  }

  drain(): void {
    this.#isDraining = true;
    this.#onState(this.#state);
  }

  get #state(): ReadyState {
    if (this.#isDraining) return 'draining';
    return this.#isReady ? 'ok' : 'starting';
  }

  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /** @param started - Whether the features let the server be ready. */
  async #start(started: Promise<boolean>): Promise<void> {
    const encodings = this.#makeEncodings();
    const mayRender = this.#parts.server.scheduler.ready();
    const mayBeReady = await started;
    await mayRender;
    this.#isReady = mayBeReady;
    this.#onState(this.#state);
    await encodings;
  }

  /**
   * Makes the encodings of built files and of the engine's constant pages. The first requests come first: a
   * platform may start the process for a request that waits.
   */
  async #makeEncodings(): Promise<void> {
    const { options, runtime } = this.#parts;
    const { constantPages, index, host, isMain, renderThreads } = runtime;
    const { files, engine, onError } = options;
    const claim = (bytes: number): boolean => index.claim(bytes);
    const code = (jobs: readonly EncodingJob[]): Promise<readonly Encodable[]> =>
      makeEncodings(jobs, claim, onError, () => this.#isClosed);
    await spareTime();
    if (this.#isClosed) return;
    // Loads the application.
    const ofEngine = files.folder === undefined ? [] : await constantPages.ask(engine);
    if (files.folder !== undefined && isMain && renderThreads === undefined && !host.isSetUp) {
      // What fails here fails the first render, which reports it.
      await (async () => host.engine().load?.())().catch(() => undefined);
    }
    await spareTime();
    const dropped = await Promise.all([code(index.encodingJobs), code(ofEngine)]);
    if (this.#isClosed) return;
    noticesOfUnmatched(this.#parts).forEach(onError);
    const notice = noticeOfUnencoded([...index.unencodedFiles, ...dropped.flat()]);
    if (notice !== undefined) onError(notice);
  }

  async #close(): Promise<void> {
    this.#isClosed = true;
    this.#parts.closing.abort();
    this.drain();
    await closeAll(this.#parts);
  }
}
