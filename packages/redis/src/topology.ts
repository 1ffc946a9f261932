import type { ErrorReply } from '@redis/client';
import type { Server } from './client.ts';
import type { RedisNode } from './redis-node.ts';

/** Which server has which key: one, the primary that Sentinels name, or that of a slot. */
export interface Topology {
  /** Whether keys of one command must have the same slot. */
  readonly hasSlots: boolean;
  /** Whether another server may take over. */
  readonly isMoving: boolean;
  /** Starts connecting. */
  open(): void;
  /** Undefined while no server is known for the key. */
  nodeOf(key: string): RedisNode | undefined;
  /** Where a command goes after this error; undefined if it fails. */
  redirect(error: ErrorReply, from: RedisNode, key: string): Redirect | undefined;
  /** A server that delivers messages of all. */
  messageServer(): Server | undefined;
  close(timeoutMs: number): Promise<void>;
}

export interface Redirect {
  readonly node: RedisNode;
  /** Whether the slot is on its way to that server. */
  readonly isAsking: boolean;
  readonly delayMs?: number;
}

export interface TopologyEvents {
  /** A server answers, at the start or again. */
  onUsable(): void;
  /** Called once per outage. */
  onOutage(cause: unknown): void;
}
