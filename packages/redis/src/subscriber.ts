import { type Client, createScriptClient, PING_INTERVAL_MS, type Server } from './client.ts';
import type { NodeOptions } from './redis-node.ts';

const FIRST_RETRY_MS = 50;
const LONGEST_RETRY_MS = 1_000;

export interface SubscriberContext {
  readonly channel: string;
  /** Undefined while there is none. */
  server(): Server | undefined;
  /** Messages are received from now on; some may have been missed. */
  onSubscribed(): void;
  onMessage(message: string): void;
  /** Redis refuses the subscription. */
  onRefused(error: unknown): void;
}

/** A connection for messages. When it is lost, it connects to whichever server then has them. */
export class Subscriber {
  readonly #options: NodeOptions;
  readonly #context: SubscriberContext;
  #client: Client | undefined;
  #retries = 0;
  #timer: NodeJS.Timeout | undefined;
  #isEnded = false;

  constructor(options: NodeOptions, context: SubscriberContext) {
    this.#options = options;
    this.#context = context;
  }

  /** Starts connecting. */
  open(): void {
    const server = this.#context.server();
    if (server === undefined) return this.#retry();
    const client = createScriptClient(this.#options, server, PING_INTERVAL_MS);
    this.#client = client;
    client.on('ready', () => void this.#subscribe(client));
    client.on('error', () => {
      // With a URL there is no other server, and the client connects again by itself.
      if ('url' in server || client !== this.#client) return;
      this.#client = undefined;
      client.destroy();
      this.#retry();
    });
    client.connect().catch(ignore);
  }

  close(): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#client?.destroy();
  }

  #retry(): void {
    if (this.#isEnded) return;
    const delayMs = Math.min(FIRST_RETRY_MS * 2 ** this.#retries++, LONGEST_RETRY_MS);
    this.#timer = setTimeout(() => this.open(), delayMs).unref();
  }

  async #subscribe(client: Client): Promise<void> {
    try {
      // On later connections the client subscribes by itself, and this sends nothing.
      await client.subscribe(this.#context.channel, this.#onMessage);
      this.#retries = 0;
      this.#context.onSubscribed();
    } catch (error) {
      if (client.isReady) this.#context.onRefused(error);
    }
  }

  // One function, because the client calls every listener it was given.
  readonly #onMessage = (message: string): void => this.#context.onMessage(message);
}

function ignore(): void {}
