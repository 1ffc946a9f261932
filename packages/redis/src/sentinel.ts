import { askOnce, type Client, type Server } from './client.ts';
import { Discovery } from './discovery.ts';
import type { ResolvedSentinel } from './options.ts';
import { type NodeOptions, RedisNode } from './redis-node.ts';
import { type Address, showAddress } from './servers.ts';
import type { Topology, TopologyEvents } from './topology.ts';

// A Sentinel that takes longer is not waited for.
const LOOK_MS = 500;

interface Primary extends Address {
  /** Grows with each failover: of different replies, the highest is right. */
  readonly epoch: number;
}

/** The primary that Sentinels name: after failures they are asked again. */
export class Sentinel implements Topology {
  readonly hasSlots = false;
  readonly isMoving = true;
  readonly #options: NodeOptions;
  readonly #sentinel: ResolvedSentinel;
  readonly #events: TopologyEvents;
  readonly #discovery: Discovery;
  #primary: RedisNode | undefined;
  #name = '';
  #epoch = -1;
  #isReported = false;
  #isEnded = false;

  constructor(options: NodeOptions, sentinel: ResolvedSentinel, events: TopologyEvents) {
    this.#options = options;
    this.#sentinel = sentinel;
    this.#events = events;
    this.#discovery = new Discovery({
      look: async () => this.#adopt(await this.#ask()),
      onOutage: (cause) => this.#report(cause),
    });
  }

  open(): void {
    this.#discovery.start();
  }

  nodeOf(): RedisNode | undefined {
    return this.#primary;
  }

  redirect(): undefined {
    return undefined;
  }

  messageServer(): Server | undefined {
    return this.#primary?.server;
  }

  async close(timeoutMs: number): Promise<void> {
    this.#isEnded = true;
    this.#discovery.end();
    await this.#primary?.close(timeoutMs);
  }

  async #ask(): Promise<Primary> {
    const { name, nodes, client } = this.#sentinel;
    const question = (asked: Client): Promise<string[]> =>
      asked.sendCommand<string[]>(['SENTINEL', 'MASTER', name]);
    const replies = await Promise.allSettled(
      nodes.map((node) => askOnce({ client }, node, question, LOOK_MS)),
    );
    const primaries = replies
      .filter((reply) => reply.status === 'fulfilled')
      .map(({ value }) => toPrimary(value))
      .sort((one, other) => other.epoch - one.epoch);
    if (primaries[0] !== undefined) return primaries[0];
    throw (replies[0] as PromiseRejectedResult).reason;
  }

  #adopt(primary: Primary): void {
    if (this.#isEnded || primary.epoch < this.#epoch) return;
    this.#epoch = primary.epoch;
    const name = showAddress(primary);
    if (name === this.#name) return;
    this.#name = name;
    this.#primary?.end();
    this.#primary = new RedisNode(
      this.#options,
      { host: primary.host, port: primary.port },
      {
        onUsable: () => {
          this.#isReported = false;
          this.#events.onUsable();
        },
        onOutage: (_node, cause) => this.#report(cause),
        onFailure: () => this.#discovery.note(),
        // It may have been replaced while it was away, and not know it yet.
        verify: () => this.#discovery.refresh(),
      },
    );
    this.#primary.open();
  }

  #report(cause: unknown): void {
    if (!this.#isReported) this.#events.onOutage(cause);
    this.#isReported = true;
  }
}

function toPrimary(reply: readonly string[]): Primary {
  const value = (name: string): string => reply[reply.indexOf(name) + 1] ?? '';
  return {
    host: value('ip'),
    port: Number(value('port')),
    epoch: Number(value('config-epoch')),
  };
}
