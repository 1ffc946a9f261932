import type { ErrorReply } from '@redis/client';
import { within } from '@ng-ssr/core/store';
import { askOnce, type Client, type Server } from './client.ts';
import { Discovery } from './discovery.ts';
import { type NodeOptions, RedisNode } from './redis-node.ts';
import { type Address, addressInReply, showAddress } from './servers.ts';
import { SLOTS, slotOf } from './slots.ts';
import type { Redirect, Topology, TopologyEvents } from './topology.ts';

const LOOK_MS = 1_000;
/** While the keys of a slot are on their way, a command that needs several waits for so long. */
const TRY_AGAIN_MS = 20;
/** A server without slots is kept for so long: it may be about to get some. */
const IDLE_MS = 60_000;

type Ranges = Awaited<ReturnType<Client['clusterSlots']>>;

/**
 * The primaries of a Redis Cluster, each with a circuit breaker of its own: the loss of one costs only its pages. After
 * failures and redirections it asks the servers again where the slots are.
 */
export class Cluster implements Topology {
  readonly hasSlots = true;
  readonly isMoving = true;
  readonly #options: NodeOptions;
  readonly #roots: readonly Address[];
  readonly #events: TopologyEvents;
  readonly #discovery: Discovery;
  #slots: (RedisNode | undefined)[] = [];
  readonly #nodes = new Map<string, RedisNode>();
  /** When a redirection last named a server. */
  readonly #namedMs = new Map<RedisNode, number>();
  /** All servers, replicas included, that were listed last. */
  #listed: readonly Address[] = [];
  /** Servers whose outage was reported. */
  readonly #away = new Set<RedisNode | undefined>();
  #isEnded = false;

  constructor(options: NodeOptions, roots: readonly Address[], events: TopologyEvents) {
    this.#options = options;
    this.#roots = roots;
    this.#events = events;
    this.#discovery = new Discovery({
      look: async () => this.#adopt(await this.#ask()),
      onOutage: (cause) => this.#report(undefined, cause),
    });
  }

  open(): void {
    this.#discovery.start();
  }

  nodeOf(key: string): RedisNode | undefined {
    const node = this.#slots[slotOf(key)];
    if (node === undefined && this.#nodes.size > 0) this.#discovery.note();
    return node;
  }

  redirect({ message }: ErrorReply, from: RedisNode, key: string): Redirect | undefined {
    const [, kind, slot, target] = /^(?:(MOVED|ASK) (\d+) (\S+)|TRYAGAIN )/.exec(message) ?? [];
    if (kind === undefined) {
      if (!message.startsWith('TRYAGAIN ')) return undefined;
      return { node: this.nodeOf(key) ?? from, isAsking: false, delayMs: TRY_AGAIN_MS };
    }
    const node = this.#nodeAt(addressInReply(target!, hostOf(from)));
    this.#namedMs.set(node, performance.now());
    if (kind === 'ASK') return { node, isAsking: true };
    this.#slots[Number(slot)] = node;
    this.#discovery.note();
    return { node, isAsking: false };
  }

  messageServer(): Server | undefined {
    // Messages are sent to all servers, so any one will do.
    const usable = [...this.#nodes.values()].filter((node) => node.isUsable);
    return usable[Math.floor(Math.random() * usable.length)]?.server;
  }

  async close(timeoutMs: number): Promise<void> {
    this.#isEnded = true;
    this.#discovery.end();
    await Promise.all([...this.#nodes.values()].map((node) => node.close(timeoutMs)));
  }

  /** Asks a server that answers; those that do not, and may be behind when they do, only if no other is there. */
  async #ask(): Promise<Ranges> {
    const usable = shuffled([...this.#nodes.values()].filter((node) => node.isUsable));
    for (const node of usable) {
      const asked = node.client.clusterSlots().then((ranges) => named(ranges, hostOf(node)));
      const ranges = await within(asked, this.#options.timeoutMs).catch(() => undefined);
      if (ranges !== undefined) return ranges;
    }
    const suspects = new Set([...this.#nodes.values()].map(({ server }) => shown(server)));
    const all = new Map([...this.#listed, ...this.#roots].map((each) => [showAddress(each), each]));
    const others = [...all].filter(([name]) => !suspects.has(name)).map(([, each]) => each);
    try {
      return await this.#askAny(others);
    } catch {
      return await this.#askAny([...all.values()]);
    }
  }

  /** @throws the first error if none replies. */
  async #askAny(addresses: readonly Address[]): Promise<Ranges> {
    const asked = addresses.map((address) => {
      const question = (client: Client): Promise<Ranges> => client.clusterSlots();
      const ranges = askOnce(this.#options, address, question, LOOK_MS);
      return ranges.then((each) => named(each, address.host));
    });
    try {
      return await Promise.any(asked);
    } catch (error) {
      throw error instanceof AggregateError && error.errors.length > 0 ? error.errors[0] : error;
    }
  }

  #adopt(ranges: Ranges): void {
    if (this.#isEnded) return;
    const slots = new Array<RedisNode | undefined>(SLOTS);
    const used = new Set<RedisNode>();
    for (const { from, to, master } of ranges) {
      const node = this.#nodeAt(master);
      used.add(node);
      slots.fill(node, from, to + 1);
    }
    this.#slots = slots;
    this.#listed = ranges.flatMap(({ master, replicas }) => [master, ...replicas]);
    this.#away.delete(undefined);
    for (const [name, node] of this.#nodes) {
      const namedMs = this.#namedMs.get(node) ?? -Infinity;
      if (used.has(node) || (node.isUsable && performance.now() - namedMs < IDLE_MS)) continue;
      this.#nodes.delete(name);
      this.#namedMs.delete(node);
      this.#away.delete(node);
      node.end();
    }
  }

  #nodeAt(address: Address): RedisNode {
    const name = showAddress(address);
    const known = this.#nodes.get(name);
    if (known !== undefined) return known;
    const node = new RedisNode(
      this.#options,
      { host: address.host, port: address.port },
      {
        onUsable: (usable) => {
          this.#away.delete(usable);
          this.#events.onUsable();
        },
        onOutage: (lost, cause) => this.#report(lost, cause),
        onFailure: () => this.#discovery.note(),
        // It may have been replaced while it was away, and not know it yet.
        verify: () => this.#discovery.refresh(),
      },
    );
    this.#nodes.set(name, node);
    node.open();
    return node;
  }

  /** Once, however many servers are away. */
  #report(node: RedisNode | undefined, cause: unknown): void {
    const isFirst = this.#away.size === 0;
    this.#away.add(node);
    if (isFirst) this.#events.onOutage(cause);
  }
}

/** A server without a name of its own has that under which it was asked. */
function named(ranges: Ranges, host: string): Ranges {
  for (const { master, replicas } of ranges) {
    for (const each of [master, ...replicas]) if (!each.host) each.host = host as typeof each.host;
  }
  return ranges;
}

function shown(server: Server): string {
  return 'url' in server ? server.url : showAddress(server);
}

function hostOf({ server }: RedisNode): string {
  return 'url' in server ? '' : server.host;
}

function shuffled<T>(items: readonly T[]): T[] {
  const start = Math.floor(Math.random() * items.length);
  return [...items.slice(start), ...items.slice(0, start)];
}
