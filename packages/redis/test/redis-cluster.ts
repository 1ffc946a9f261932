import { createClient } from '@redis/client';
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { vi } from 'vitest';
import { RedisProcess, type Settings } from './redis-process.ts';

const CLI = process.env['REDIS_CLI_PATH'] ?? 'redis-cli';
const run = promisify(execFile);
const POLL = { timeout: 60_000, interval: 50 };

/** A server as CLUSTER NODES lists it. */
export interface ListedNode {
  readonly id: string;
  readonly port: number;
  readonly isPrimary: boolean;
  /** The id of its primary. */
  readonly replicaOf: string;
  readonly isFailed: boolean;
  readonly slots: readonly string[];
}

export type Admin = ReturnType<typeof createClient>;

/** Three primaries with a replica each, on this machine. */
export class RedisCluster {
  readonly processes: readonly RedisProcess[];
  /** A connection to each of them, which waits while it is away. */
  readonly #admins = new Map<number, Admin>();
  readonly #args: readonly string[];

  private constructor(processes: readonly RedisProcess[], args: readonly string[]) {
    this.processes = processes;
    this.#args = args;
  }

  static async start(
    settings: (port: number) => Settings = () => [],
    args: readonly string[] = [],
    client: Parameters<typeof createClient>[0] = {},
  ): Promise<RedisCluster> {
    const all = [
      ...['save ""', 'appendonly no', 'cluster-enabled yes', 'cluster-node-timeout 1500'],
      ...['cluster-replica-validity-factor 0', 'repl-diskless-sync-delay 0'],
    ];
    const options = {
      settings: (port: number) => [...all, ...settings(port)],
    };
    const processes = await Promise.all(
      Array.from({ length: 6 }, () => RedisProcess.start(options)),
    );
    const cluster = new RedisCluster(processes, args);
    for (const { port } of processes) {
      const admin = createClient({
        ...client,
        socket: { ...client?.socket, host: '127.0.0.1', port, reconnectStrategy: 20 } as never,
      });
      admin.on('error', () => {});
      await admin.connect();
      cluster.#admins.set(port, admin);
    }
    await cluster.cli('create', ...cluster.nodes, '--cluster-replicas', '1', '--cluster-yes');
    await cluster.untilWhole();
    return cluster;
  }

  /** For the option `cluster`. */
  get nodes(): readonly string[] {
    return this.processes.map(({ port }) => `127.0.0.1:${port}`);
  }

  admin(port: number): Admin {
    return this.#admins.get(port)!;
  }

  processAt(port: number): RedisProcess {
    return this.processes.find((process) => process.port === port)!;
  }

  /** `redis-cli --cluster`. */
  async cli(command: string, ...args: readonly string[]): Promise<string> {
    const { stdout } = await run(CLI, [...this.#args, '--cluster', command, ...args]);
    return stdout;
  }

  /** As one of them lists all. */
  async list(port = this.processes[0]!.port): Promise<readonly ListedNode[]> {
    const text = await this.admin(port).sendCommand<string>(['CLUSTER', 'NODES']);
    return text
      .trim()
      .split('\n')
      .map((line) => {
        const [id, address, flags, replicaOf, , , , , ...slots] = line.split(' ');
        return {
          id: id!,
          port: Number(/:(\d+)@/.exec(address!)![1]),
          isPrimary: flags!.includes('master'),
          replicaOf: replicaOf!,
          isFailed: /fail|noaddr/.test(flags!),
          slots,
        };
      });
  }

  /** The primaries that have slots. */
  async primaries(port?: number): Promise<readonly ListedNode[]> {
    const list = await this.list(port);
    return list.filter(
      ({ isPrimary, isFailed, slots }) => isPrimary && !isFailed && slots.length > 0,
    );
  }

  /** The primary that has the slot of a key. */
  async primaryOf(key: string, port?: number): Promise<ListedNode> {
    const slot = await this.admin(port ?? this.processes[0]!.port).clusterKeySlot(key);
    const isIn = (range: string): boolean => {
      const [from, to = from] = range.split('-').map(Number);
      return from! <= slot && slot <= to!;
    };
    return (await this.primaries(port)).find(({ slots }) => slots.some(isIn))!;
  }

  /** Of a key, as all servers say: one that has moved is known to two of them first. */
  async agreedPrimaryOf(key: string): Promise<ListedNode> {
    return vi.waitFor(async () => {
      const ports = this.processes.map(({ port }) => port);
      const said = await Promise.all(ports.map((port) => this.primaryOf(key, port)));
      if (new Set(said.map((primary) => primary?.id)).size > 1) throw new Error('they differ');
      return said[0]!;
    }, POLL);
  }

  async replicaOf({ id }: ListedNode, port?: number): Promise<ListedNode | undefined> {
    return (await this.list(port)).find(({ replicaOf, isFailed }) => replicaOf === id && !isFailed);
  }

  /** Until all servers agree that every slot has a primary, and each primary has a replica in step. */
  async untilWhole(): Promise<void> {
    await vi.waitFor(async () => {
      for (const { port } of this.processes) {
        const info = await this.admin(port).sendCommand<string>(['CLUSTER', 'INFO']);
        if (!/cluster_state:ok[^]*cluster_known_nodes:6/.test(info)) throw new Error(info);
        const list = await this.list(port);
        if (list.some(({ isFailed }) => isFailed)) throw new Error('a server is away');
      }
      for (const { port } of await this.primaries()) {
        const info = await this.admin(port).info('replication');
        if (!/slave0:.*state=online/.test(info)) throw new Error(info);
      }
    }, POLL);
  }

  async flush(): Promise<void> {
    for (const { port } of await this.primaries()) await this.admin(port).flushAll();
  }

  /** The keys of all primaries that match a pattern. */
  async keys(pattern: string): Promise<string[]> {
    const found: string[] = [];
    for (const { port } of await this.primaries()) {
      found.push(...(await this.admin(port).keys(pattern)));
    }
    return found;
  }

  async stop(): Promise<void> {
    for (const admin of this.#admins.values()) admin.destroy();
    await Promise.all(this.processes.map((process) => process.stop()));
  }
}
