import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

/** Connections to a server whose answers can be held up on their way. */
export interface SlowWire {
  readonly port: number;
  /** Holds what the server sends from now on. */
  hold(): void;
  /** Resolves when bytes with this text are held. */
  held(text: string): Promise<void>;
  release(): void;
  close(): Promise<void>;
}

export async function openSlowWire(port: number): Promise<SlowWire> {
  const sockets = new Set<Socket>();
  let isHeld = false;
  let waiting: (() => void)[] = [];
  let onHeld: ((bytes: Buffer) => void) | undefined;
  const server = createServer((near) => {
    const far = connect(port, '127.0.0.1');
    for (const socket of [near, far]) {
      sockets.add(socket.on('error', () => socket.destroy()));
      socket.on('close', () => sockets.delete(socket));
    }
    near.pipe(far);
    far.on('data', (bytes) => {
      if (!isHeld) return near.write(bytes);
      waiting.push(() => near.write(bytes));
      return onHeld?.(bytes);
    });
    far.on('close', () => near.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    port: (server.address() as AddressInfo).port,
    hold: () => void (isHeld = true),
    held: (text) =>
      new Promise((resolve) => (onHeld = (bytes) => void (bytes.includes(text) && resolve()))),
    release() {
      isHeld = false;
      for (const send of waiting) send();
      waiting = [];
    },
    async close() {
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, 'close');
    },
  };
}
