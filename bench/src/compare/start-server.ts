import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';

/** A server that listens on the loopback. */
export interface StartedServer {
  readonly origin: string;
  readonly pid: number;
  stop(): Promise<void>;
}

/** What the example takes as its settings. */
export interface ExampleSettings {
  readonly adapter: string;
  readonly serveHits: string | undefined;
}

/**
 * Starts the example, or a limit, and waits until it says where it listens.
 *
 * @throws Error when it ends before.
 */
export async function startServer(
  [program, ...args]: readonly string[],
  { adapter, serveHits = 'after-middleware' }: ExampleSettings,
): Promise<StartedServer> {
  const child = spawn(program!, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ADAPTER: adapter,
      HITS: serveHits,
      PORT: '0',
      NODE_ENV: 'production',
      NG_ALLOWED_HOSTS: 'localhost,127.0.0.1',
    },
  });
  const exited = once(child, 'exit');
  const url = await new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const listening = line.split('Listening on ')[1];
      if (listening !== undefined) resolve(listening);
    });
    exited.then(
      () => reject(new Error(`${program} ${args.join(' ')} ended before it listened`)),
      reject,
    );
  });
  return {
    origin: `http://127.0.0.1:${new URL(url).port}`,
    pid: child.pid!,
    stop: async () => {
      child.kill();
      await exited;
    },
  };
}
