import { createClient } from '@redis/client';
import { vi } from 'vitest';
import { RedisProcess, type Settings } from './redis-process.ts';

const POLL = { timeout: 60_000, interval: 50 };
const PASSWORD = 'a-password-of-sentinels';

/** A primary, its replica, and three Sentinels that have a password. */
export class RedisSentinels {
  readonly name = 'shop';
  /** For the option `sentinel.client`. */
  readonly client = { password: PASSWORD };
  readonly servers: readonly RedisProcess[];
  readonly sentinels: readonly RedisProcess[];

  private constructor(servers: readonly RedisProcess[], sentinels: readonly RedisProcess[]) {
    this.servers = servers;
    this.sentinels = sentinels;
  }

  /** @param more - Further lines of the servers' redis.conf. */
  static async start(more: Settings = []): Promise<RedisSentinels> {
    const settings = ['save ""', 'appendonly no', 'repl-diskless-sync-delay 0', ...more];
    const primary = await RedisProcess.start({ settings: () => settings });
    const replicaOf = `replicaof 127.0.0.1 ${primary.port}`;
    const replica = await RedisProcess.start({ settings: () => [...settings, replicaOf] });
    const lines = [
      ...[`requirepass ${PASSWORD}`, `sentinel sentinel-pass ${PASSWORD}`],
      `sentinel monitor shop 127.0.0.1 ${primary.port} 2`,
      ...['sentinel down-after-milliseconds shop 1000', 'sentinel failover-timeout shop 5000'],
    ];
    const sentinels = await Promise.all(
      [1, 2, 3].map(() => RedisProcess.start({ isSentinel: true, settings: () => lines })),
    );
    const all = new RedisSentinels([primary, replica], sentinels);
    await all.untilReplicated();
    return all;
  }

  /** For the option `sentinel.nodes`. */
  get nodes(): readonly string[] {
    return this.sentinels.map(({ port }) => `127.0.0.1:${port}`);
  }

  /** The port of the primary, as the Sentinels say. */
  async primaryPort(): Promise<number> {
    const ports = await Promise.all(
      this.sentinels.map(async ({ port }) => {
        const reply = await ask<string[]>(port, ['SENTINEL', 'MASTER', this.name], PASSWORD);
        return Number(reply[reply.indexOf('port') + 1]);
      }),
    );
    if (new Set(ports).size > 1) throw new Error(`the Sentinels disagree: ${ports.join()}`);
    return ports[0]!;
  }

  processAt(port: number): RedisProcess {
    return this.servers.find((server) => server.port === port)!;
  }

  /** Until the primary has a replica in step, and each Sentinel knows that and the others. */
  async untilReplicated(): Promise<void> {
    await vi.waitFor(async () => {
      const info = await ask<string>(await this.primaryPort(), ['INFO', 'replication']);
      if (!/slave0:.*state=online/.test(info)) throw new Error(info);
      for (const { port } of this.sentinels) {
        const reply = await ask<string[]>(port, ['SENTINEL', 'MASTER', this.name], PASSWORD);
        const value = (name: string): string => reply[reply.indexOf(name) + 1]!;
        const known = `${value('num-other-sentinels')} ${value('num-slaves')} ${value('flags')}`;
        if (known !== '2 1 master') throw new Error(known);
      }
    }, POLL);
  }

  /** Until the Sentinels name another primary. */
  async untilReplaced(port: number): Promise<number> {
    return vi.waitFor(async () => {
      const current = await this.primaryPort();
      if (current === port) throw new Error('it is still the primary');
      return current;
    }, POLL);
  }

  /** Begins a failover, which an operator asks one of the Sentinels for. */
  async failOver(): Promise<void> {
    const command = ['SENTINEL', 'FAILOVER', this.name];
    // It refuses while an earlier one ends.
    await vi.waitFor(() => ask(this.sentinels[0]!.port, command, PASSWORD), POLL);
  }

  /** Cuts a primary off from its replica and the Sentinels; clients keep their connections. */
  async isolate(port: number): Promise<void> {
    await ask(port, ['CONFIG', 'SET', 'requirepass', PASSWORD]);
    const clients = await ask<string>(port, ['CLIENT', 'LIST'], PASSWORD);
    for (const [, id] of clients.matchAll(/^id=(\d+) .* name=sentinel-/gm)) {
      await ask(port, ['CLIENT', 'KILL', 'ID', id!], PASSWORD);
    }
    await ask(port, ['CLIENT', 'KILL', 'TYPE', 'replica'], PASSWORD);
  }

  /** Ends that. */
  async join(port: number): Promise<void> {
    await ask(port, ['CONFIG', 'SET', 'requirepass', ''], PASSWORD);
  }

  async flush(): Promise<void> {
    await ask(await this.primaryPort(), ['FLUSHALL']);
  }

  async stop(): Promise<void> {
    await Promise.all([...this.sentinels, ...this.servers].map((process) => process.stop()));
  }
}

async function ask<T>(port: number, command: readonly string[], password?: string): Promise<T> {
  const client = createClient({
    socket: { host: '127.0.0.1', port, reconnectStrategy: false },
    RESP: 2,
    ...(password === undefined ? {} : { password }),
  });
  client.on('error', () => {});
  await client.connect();
  try {
    return (await client.sendCommand([...command])) as T;
  } finally {
    client.destroy();
  }
}
