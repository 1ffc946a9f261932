import type { Channel } from './platform.ts';

type Listener = (message: unknown, name: string) => void;

const channels = new Map<string, LocalChannel>();

/** A channel as that of `node:diagnostics_channel`, for listeners in this bundle. */
export class LocalChannel implements Channel {
  readonly #name: string;
  #listeners: readonly Listener[] = [];

  constructor(name: string) {
    this.#name = name;
  }

  /** The channel of a name: there is one. */
  static of(name: string): LocalChannel {
    let found = channels.get(name);
    if (found === undefined) channels.set(name, (found = new LocalChannel(name)));
    return found;
  }

  get hasSubscribers(): boolean {
    return this.#listeners.length > 0;
  }

  /** A listener that throws does not reach the request: its error is printed. */
  publish(message: unknown): void {
    for (const listener of this.#listeners) {
      try {
        listener(message, this.#name);
      } catch (error) {
        console.error(`ng-ssr: a listener of ${this.#name} threw`, error);
      }
    }
  }

  subscribe(listener: Listener): void {
    this.#listeners = [...this.#listeners, listener];
  }

  unsubscribe(listener: Listener): void {
    this.#listeners = this.#listeners.filter((each) => each !== listener);
  }
}
