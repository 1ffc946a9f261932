import { within } from '@ng-ssr/core/store';
import { ErrorReply } from '@redis/client';
import { CircuitBreaker } from './circuit-breaker.ts';
import {
  type BytesClient,
  type Client,
  type ConnectOptions,
  createScriptClient,
  inBytes,
  PING_INTERVAL_MS,
  type Server,
} from './client.ts';
import { scripts } from './scripts.ts';

/** A replica that has not confirmed a write for this time may lack it when it takes over. */
const REPLICATION_MS = 500;

/** How the commands of one call reach the server that has their key. */
export interface Commands {
  readonly client: Client;
  /** The same connection, with replies as Buffers. */
  readonly bytes: BytesClient;
  /**
   * Runs a write that must survive the loss of this server.
   *
   * @throws UnreplicatedError when no replica has confirmed it, although there are some.
   */
  lasting<T>(write: (client: Client) => Promise<T>): Promise<T>;
}

/** Only the server itself has a write: if a replica takes over now, it is lost. */
export class UnreplicatedError extends ErrorReply {}

export interface NodeOptions extends ConnectOptions {
  readonly timeoutMs: number;
}

export interface NodeEvents {
  /** The server answers: at the start, and again after an outage. */
  onUsable(node: RedisNode): void;
  onOutage(node: RedisNode, cause: unknown): void;
  /** A command or a PING has failed. Undefined: nothing could be found out. */
  onFailure?: (node: RedisNode) => void;
  /** Checks after an outage whether this server still has the keys; rejects if that is unknown. */
  verify?: (node: RedisNode) => Promise<void>;
}

/** A server that has keys: a connection for commands, which reconnects by itself, and whether it answers. */
export class RedisNode {
  readonly server: Server;
  readonly client: Client;
  readonly breaker: CircuitBreaker;
  readonly #options: NodeOptions;
  readonly #commands: Commands;
  readonly #waiting = new Set<() => void>();
  /** A connection of its own for lasting writes: WAIT lets no later command of its connection pass. */
  #lasting: Client | undefined;
  #lastingReady: Promise<void> | undefined;
  /** How often that has connected: WAIT knows only the writes of the same connection. */
  #lastingConnections = 0;
  #lastError: unknown = new Error('not connected yet');
  #wasUsable = false;
  /** Resolves after the first attempt to connect, for commands that wait for it. Undefined if none does. */
  #tried: Promise<void> | undefined;
  #endTry: (() => void) | undefined;
  #hasScripts = false;

  constructor(options: NodeOptions, server: Server, events: NodeEvents) {
    this.server = server;
    this.#options = options;
    this.client = createScriptClient(options, server, PING_INTERVAL_MS);
    const isAlone = events.onFailure === undefined;
    if (!isAlone) this.#tried = new Promise((resolve) => (this.#endTry = resolve));
    this.#commands = {
      client: this.client,
      bytes: inBytes(this.client),
      lasting: (write) => (isAlone ? write(this.client) : this.#replicate(write)),
    };
    this.breaker = new CircuitBreaker({
      timeoutMs: options.timeoutMs,
      ping: async () => {
        // With the latest error if there is no connection.
        if (!this.client.isReady) throw this.#lastError;
        await this.client.ping();
        if (this.#wasUsable) await events.verify?.(this);
      },
      onClose: () => {
        this.#wasUsable = true;
        for (const tell of this.#waiting) tell();
        this.#waiting.clear();
        this.#noteTried();
        events.onUsable(this);
      },
      onOutage: (cause) => events.onOutage(this, cause),
      ...(events.onFailure && { onFailure: () => events.onFailure?.(this) }),
    });
  }

  get isUsable(): boolean {
    return !this.breaker.isOpen;
  }

  /** Whether a command would be sent, now or after the first connection. */
  get takesCommands(): boolean {
    return this.isUsable || this.#tried !== undefined;
  }

  /** Starts connecting. */
  open(): void {
    this.client.on('ready', () => {
      this.#hasScripts = false;
      void this.breaker.probe();
    });
    this.client.on('error', (error: unknown) => {
      this.#lastError = error;
      this.breaker.fail(error);
      this.#noteTried();
    });
    this.client.connect().catch(ignore);
  }

  /** As {@link CircuitBreaker.run}. */
  async run<T>(command: (commands: Commands) => Promise<T>, timeoutMs: number): Promise<T> {
    let leftMs = timeoutMs;
    if (this.#tried !== undefined) {
      const sinceMs = performance.now();
      await within(this.#tried, timeoutMs).catch(ignore);
      leftMs = Math.max(1, timeoutMs - (performance.now() - sinceMs));
    }
    return this.breaker.run(() => command(this.#commands), leftMs);
  }

  /** The same for a slot that is on its way to this server: it refuses commands that do not ask for that. */
  runAsking<T>(command: (commands: Commands) => Promise<T>, timeoutMs: number): Promise<T> {
    return this.breaker.run(async () => {
      await this.#loadScripts();
      const { client, bytes, lasting } = this.#commands;
      return command({
        client: asking(client, client),
        bytes: asking(bytes, client),
        lasting: (write) => lasting((own) => write(asking(own, own))),
      });
    }, timeoutMs);
  }

  /** Resolves when commands can be sent. */
  async untilUsable(timeoutMs: number): Promise<void> {
    if (this.isUsable) return;
    const usable = new Promise<void>((resolve) => this.#waiting.add(resolve));
    await within(usable, timeoutMs);
  }

  /** Waits for pending commands, up to the timeout, and disconnects. */
  async close(timeoutMs: number): Promise<void> {
    this.breaker.end();
    if (this.client.isReady) await within(this.client.close(), timeoutMs).catch(ignore);
    this.end();
  }

  /** Disconnects at once. */
  end(): void {
    this.breaker.end();
    this.client.destroy();
    this.#lasting?.destroy();
  }

  async #replicate<T>(write: (client: Client) => Promise<T>): Promise<T> {
    const client = await this.#lastingClient();
    const connection = this.#lastingConnections;
    const [reply, info] = await Promise.all([write(client), client.info('replication')]);
    const replicas = Number(/^connected_slaves:(\d+)/m.exec(info)?.[1]);
    if (replicas === 0) return reply;
    const confirmed = await client.wait(1, REPLICATION_MS);
    if (confirmed > 0 && connection === this.#lastingConnections) return reply;
    throw new UnreplicatedError(`no replica confirmed the write within ${REPLICATION_MS} ms`);
  }

  async #lastingClient(): Promise<Client> {
    if (this.#lasting === undefined) {
      const client = createScriptClient(this.#options, this.server, PING_INTERVAL_MS);
      client.on('error', ignore);
      client.on('ready', () => this.#lastingConnections++);
      this.#lasting = client;
      client.connect().catch(ignore);
    }
    const client = this.#lasting;
    if (!client.isReady) {
      this.#lastingReady ??= new Promise((resolve) => {
        client.once('ready', () => {
          this.#lastingReady = undefined;
          resolve();
        });
      });
      await this.#lastingReady;
    }
    return client;
  }

  #noteTried(): void {
    this.#tried = undefined;
    this.#endTry?.();
  }

  /** Before a script is called after ASKING: the call after a "no such script" would be one without ASKING. */
  async #loadScripts(): Promise<void> {
    if (this.#hasScripts) return;
    const { client } = this;
    await Promise.all(Object.values(scripts).map(({ SCRIPT }) => client.scriptLoad(SCRIPT)));
    this.#hasScripts = true;
  }
}

/** A client that sends ASKING before each command. */
function asking<T extends object>(commands: T, client: Client): T {
  return new Proxy(commands, {
    get(target, name) {
      const member = target[name as keyof T];
      if (typeof member !== 'function') return member;
      return (...args: unknown[]): unknown => {
        if (name !== 'wait') client.sendCommand(['ASKING']).catch(ignore);
        return (member as (...args: unknown[]) => unknown).apply(target, args);
      };
    },
  });
}

function ignore(): void {}
