import type { ReadyState } from '../probes/probes.ts';
import type { MainLink } from '../threads/main-link.ts';
import { closeAll } from './close-all.ts';
import type { Parts } from './compose-on-node.ts';
import { startFeatures } from './start-features.ts';

/** Starts and closes the handler of a server thread: the main thread's does most of it for all. */
export class ThreadLifecycle {
  readonly #parts: Parts;
  readonly #main: MainLink;
  #ready: Promise<void> | undefined;
  #closed: Promise<void> | undefined;

  constructor(parts: Parts, main: MainLink) {
    this.#parts = parts;
    this.#main = main;
  }

  get isDraining(): boolean {
    return this.#main.state === 'draining';
  }

  probeState(): ReadyState {
    void this.ready();
    return this.#main.state;
  }

  ready(): Promise<void> {
    if (this.#ready !== undefined) return this.#ready;
    this.#ready = this.#askReady();
    void startFeatures(this.#parts);
    return this.#ready;
  }

  /** As {@link Lifecycle.hold}. */
  hold(): void {
    this.#ready ??= Promise.resolve();
  }

  watch(): void {}

  /** The main thread says when. */
  drain(): void {}

  close(): Promise<void> {
    return (this.#closed ??= closeAll(this.#parts));
  }

  async #askReady(): Promise<void> {
    await this.#main.ask((id) => ({ kind: 'ready', id })).reply;
  }
}
