import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

/** What a connection through the link is like. */
export interface LinkSpeed {
  /** In each direction: a round trip takes twice as long. */
  readonly delayMs: number;
  /** Of all connections together, in bytes per second. */
  readonly downRate: number;
  readonly upRate: number;
}

/** A link that is open. */
export interface SlowLink {
  readonly port: number;
  close(): Promise<void>;
}

/** A few packets. Between two of them, another connection has its turn. */
const PIECE_BYTES = 4096;

/** One direction of a line: it carries a byte at a time, and each arrives after the delay. */
class Direction {
  readonly #bytesPerMs: number;
  readonly #delayMs: number;
  #freeAtMs = 0;

  constructor(bytesPerSecond: number, delayMs: number) {
    this.#bytesPerMs = bytesPerSecond / 1000;
    this.#delayMs = delayMs;
  }

  /** Resolves when the last byte is on the line, not when it has arrived: `from` is read no faster. */
  async carry(from: Socket, to: Socket): Promise<void> {
    for await (const chunk of from as AsyncIterable<Buffer>) {
      for (let start = 0; start < chunk.length; start += PIECE_BYTES) {
        const piece = chunk.subarray(start, start + PIECE_BYTES);
        const nowMs = performance.now();
        this.#freeAtMs = Math.max(nowMs, this.#freeAtMs) + piece.length / this.#bytesPerMs;
        await wait(this.#freeAtMs - nowMs);
        // Timers of one length fire in order.
        setTimeout(() => void to.write(piece), this.#delayMs);
      }
    }
    setTimeout(() => to.end(), this.#delayMs);
  }
}

/**
 * Opens a port of the loopback that leads to another through a slow line. Chromium's own emulation delays requests of a
 * page, not the connection, on which a page and the files that its 103 named delay each other.
 *
 * A line loses nothing and has its full rate at once: TCP's slow start is missing.
 */
export async function openSlowLink(
  targetPort: number,
  { delayMs, downRate, upRate }: LinkSpeed,
): Promise<SlowLink> {
  const down = new Direction(downRate, delayMs);
  const up = new Direction(upRate, delayMs);
  const sockets = new Set<Socket>();
  const join = async (client: Socket): Promise<void> => {
    const target = connect({ port: targetPort, host: '127.0.0.1', allowHalfOpen: true });
    for (const [socket, other] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(socket);
      socket.setNoDelay(true);
      socket.once('error', () => other.destroy());
      socket.once('close', () => void sockets.delete(socket));
    }
    // On the loopback, TCP's handshake takes no time.
    await wait(2 * delayMs);
    await Promise.allSettled([up.carry(client, target), down.carry(target, client)]);
  };
  const server = createServer({ allowHalfOpen: true }, (client) => void join(client));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    close: async (): Promise<void> => {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
