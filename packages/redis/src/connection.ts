import { ErrorReply } from '@redis/client';
import { CircuitOpenError, isUnable } from './circuit-breaker.ts';
import { Cluster } from './cluster.ts';
import type { ResolvedOptions } from './options.ts';
import type { Commands, RedisNode } from './redis-node.ts';
import { Sentinel } from './sentinel.ts';
import { SingleServer } from './single-server.ts';
import { Subscriber } from './subscriber.ts';
import type { Topology, TopologyEvents } from './topology.ts';

/** More are a mistake of the cluster. */
const MOST_REDIRECTS = 64;

const REDIRECTION = /^(?:MOVED|ASK|TRYAGAIN) /;

/** Callbacks for messages. */
export interface MessageEvents {
  readonly channel: string;
  /** Messages are received from now on; some may have been missed. */
  onSubscribed(): void;
  onMessage(message: string): void;
  /** Redis refuses the subscription. */
  onRefused(error: unknown): void;
}

/** The connections to Redis: to each server that has keys, and one for messages. */
export class Connection {
  readonly #topology: Topology;
  readonly #subscriber: Subscriber | undefined;

  constructor(options: ResolvedOptions, events: TopologyEvents, messages?: MessageEvents) {
    this.#topology = topologyOf(options, events);
    if (messages === undefined) return;
    const server = this.#topology.messageServer.bind(this.#topology);
    this.#subscriber = new Subscriber(options, { ...messages, server });
  }

  /** Whether the keys of one command must have the same slot. */
  get hasSlots(): boolean {
    return this.#topology.hasSlots;
  }

  /** Starts connecting. */
  open(): void {
    this.#topology.open();
    this.#subscriber?.open();
  }

  /** Whether commands for a key are sent now. */
  isUsable(key: string): boolean {
    return this.#topology.nodeOf(key)?.isUsable === true;
  }

  /** Whether commands for a key are sent, now or after the first connection to its server. */
  takesCommands(key: string): boolean {
    return this.#topology.nodeOf(key)?.takesCommands === true;
  }

  /** Whether a reply only says that servers change their roles now: the next commands go elsewhere. */
  isTransient(error: ErrorReply): boolean {
    return this.#topology.isMoving && (isUnable(error) || REDIRECTION.test(error.message));
  }

  /**
   * Runs commands where their key is, and again where the server says that it is.
   *
   * @param key - One key; others of the same commands have the same slot.
   * @throws CircuitOpenError, NoAnswerError, ErrorReply as CircuitBreaker.run
   */
  async run<T>(
    key: string,
    command: (commands: Commands) => Promise<T>,
    timeoutMs: number,
  ): Promise<T> {
    const node = this.#topology.nodeOf(key);
    if (node === undefined) throw new CircuitOpenError('not sent: no server is known for the key');
    const untilMs = performance.now() + timeoutMs;
    try {
      return await node.run(command, timeoutMs);
    } catch (error) {
      if (!(error instanceof ErrorReply)) throw error;
      return this.#follow(error, node, key, command, untilMs);
    }
  }

  async #follow<T>(
    first: ErrorReply,
    from: RedisNode,
    key: string,
    command: (commands: Commands) => Promise<T>,
    untilMs: number,
  ): Promise<T> {
    let reply = first;
    let node = from;
    for (let redirects = 0; redirects < MOST_REDIRECTS; redirects++) {
      const next = this.#topology.redirect(reply, node, key);
      if (next === undefined) throw reply;
      node = next.node;
      if (next.delayMs !== undefined) await wait(next.delayMs);
      await node.untilUsable(Math.max(0, untilMs - performance.now()));
      const leftMs = Math.max(1, untilMs - performance.now());
      try {
        return await (next.isAsking ? node.runAsking(command, leftMs) : node.run(command, leftMs));
      } catch (error) {
        if (!(error instanceof ErrorReply) || performance.now() >= untilMs) throw error;
        reply = error;
      }
    }
    throw reply;
  }

  /** Waits for pending commands, up to the timeout, and closes all connections. */
  async close(timeoutMs: number): Promise<void> {
    this.#subscriber?.close();
    await this.#topology.close(timeoutMs);
  }
}

function topologyOf(options: ResolvedOptions, events: TopologyEvents): Topology {
  if (options.cluster !== undefined) return new Cluster(options, options.cluster, events);
  if (options.sentinel !== undefined) return new Sentinel(options, options.sentinel, events);
  return new SingleServer(options, events);
}

function wait(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
