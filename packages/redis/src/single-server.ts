import type { ConnectOptions } from './client.ts';
import { type NodeOptions, RedisNode } from './redis-node.ts';
import type { Topology, TopologyEvents } from './topology.ts';

/** One server has all keys. */
export class SingleServer implements Topology {
  readonly hasSlots = false;
  readonly isMoving = false;
  readonly #node: RedisNode;
  readonly #url: string;

  constructor(options: NodeOptions & ConnectOptions & { url: string }, events: TopologyEvents) {
    this.#url = options.url;
    this.#node = new RedisNode(
      options,
      { url: options.url },
      {
        onUsable: () => events.onUsable(),
        onOutage: (_node, cause) => events.onOutage(cause),
      },
    );
  }

  open(): void {
    this.#node.open();
  }

  nodeOf(): RedisNode {
    return this.#node;
  }

  redirect(): undefined {
    return undefined;
  }

  messageServer(): { readonly url: string } {
    return { url: this.#url };
  }

  close(timeoutMs: number): Promise<void> {
    return this.#node.close(timeoutMs);
  }
}
