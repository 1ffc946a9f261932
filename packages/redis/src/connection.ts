import { within } from '@ng-ssr/core/store';
import { createClient, RESP_TYPES } from '@redis/client';
import type { ResolvedOptions } from './options.ts';
import { scripts } from './scripts.ts';

const LONGEST_RETRY_MS = 1_000;
// A connection without replies for this time is dead, whatever TCP says.
const DEAD_AFTER_MS = 5_000;
const PING_INTERVAL_MS = 2_000;

/** A client with this package's scripts. */
export type Client = ReturnType<typeof createScriptClient>;

/** Callbacks for the events of a connection. */
export interface ConnectionEvents {
  /** Commands can be sent. */
  onReady(): void;
  /** Commands can no longer be sent. */
  onLost(error: unknown): void;
  /** Messages are received from now on; some may have been missed. */
  onSubscribed(): void;
  onMessage(message: string): void;
  /** Redis refuses the subscription. */
  onRefused(error: unknown): void;
}

/** Two connections to Redis, for commands and for messages. Each reconnects by itself. */
export class Connection {
  readonly client: Client;
  /** The same connection, with replies as Buffers. */
  readonly bytes: ReturnType<typeof inBytes>;
  readonly #subscriber: Client;
  readonly #channel: string;
  readonly #events: ConnectionEvents;
  #lastError: unknown = new Error('not connected yet');

  constructor(options: ResolvedOptions, channel: string, events: ConnectionEvents) {
    this.client = createScriptClient(options);
    this.bytes = inBytes(this.client);
    // Without messages there is no traffic to show that the connection is dead, so it sends PINGs.
    this.#subscriber = createScriptClient(options, PING_INTERVAL_MS);
    this.#channel = channel;
    this.#events = events;
  }

  /** Starts connecting. */
  open(): void {
    this.client.on('ready', () => this.#events.onReady());
    this.client.on('error', (error: unknown) => {
      this.#lastError = error;
      this.#events.onLost(error);
    });
    this.#subscriber.on('ready', () => void this.#subscribe());
    this.#subscriber.on('error', ignore);
    this.client.connect().catch(ignore);
    this.#subscriber.connect().catch(ignore);
  }

  /** Rejects with the latest error if there is no connection. */
  async ping(): Promise<unknown> {
    if (!this.client.isReady) throw this.#lastError;
    return this.client.ping();
  }

  /** Waits for pending commands, up to the timeout, and closes both connections. */
  async close(timeoutMs: number): Promise<void> {
    if (this.client.isReady) await within(this.client.close(), timeoutMs).catch(ignore);
    this.client.destroy();
    this.#subscriber.destroy();
  }

  async #subscribe(): Promise<void> {
    try {
      // On later connections the client subscribes by itself, and this sends nothing.
      await this.#subscriber.subscribe(this.#channel, this.#onMessage);
      this.#events.onSubscribed();
    } catch (error) {
      if (this.#subscriber.isReady) this.#events.onRefused(error);
    }
  }

  // One function, because the client calls every listener it was given.
  readonly #onMessage = (message: string): void => this.#events.onMessage(message);
}

function createScriptClient(options: ResolvedOptions, pingInterval?: number) {
  return createClient({
    ...toClientOptions(options),
    scripts,
    ...(pingInterval === undefined ? {} : { pingInterval }),
  });
}

/** How every client of this package connects. */
export function toClientOptions({ url, client }: Pick<ResolvedOptions, 'url' | 'client'>) {
  return {
    ...client,
    url,
    // Every server and proxy supports RESP2, and nothing here needs RESP3.
    RESP: 2,
    maintNotifications: 'disabled',
    disableOfflineQueue: true,
    // It would not apply once a command is written: `within` bounds the wait.
    commandOptions: { timeout: undefined as never },
    socket: {
      ...client.socket,
      socketTimeout: DEAD_AFTER_MS,
      reconnectStrategy: (retries: number) =>
        Math.min(50 * 2 ** retries, LONGEST_RETRY_MS) * (0.5 + Math.random() / 2),
    },
  } as const;
}

function inBytes(client: Client) {
  return client.withTypeMapping({ [RESP_TYPES.BLOB_STRING]: Buffer });
}

function ignore(): void {}
