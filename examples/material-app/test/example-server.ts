import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';

/** The engines and adapters the example is built and started with. */
export const ENGINES = ['app', 'common'] as const;
export const ADAPTERS = ['koa', 'node', 'fastify', 'express', 'hono', 'h3', 'elysia-bun'] as const;
export type Engine = (typeof ENGINES)[number];

/**
 * The adapters that a spec runs over an engine. An adapter does the same over both: all of them run over one
 * engine, and one of each kind over the other. `npm run e2e` has every adapter over both.
 */
export const ADAPTERS_OF: Readonly<Record<Engine, readonly (typeof ADAPTERS)[number][]>> = {
  app: ADAPTERS,
  common: ['koa', 'hono'],
};

/** What opens the endpoint for purges of every server that is started here. */
export const PURGE_TOKEN = 'a-token-for-the-tests';

export interface ExampleServer {
  /** Without a slash at the end. */
  readonly origin: string;
  readonly child: ChildProcess;
  /**
   * Ends it at once. Asked by SIGTERM it would wait for its connections.
   *
   * @returns its exit code, null when the signal has ended it.
   */
  stop(signal?: 'SIGTERM'): Promise<number | null>;
}

/**
 * Starts the built example as `npm start` does, on a free port, and waits until it listens.
 *
 * @param build - The build's folder, where it is another than that of `npm run build`.
 */
export async function startExample(
  engine: Engine,
  adapter: (typeof ADAPTERS)[number],
  env: Readonly<Record<string, string>> = {},
  build = join(import.meta.dirname, '../dist', engine),
): Promise<ExampleServer> {
  const program = join(build, 'server/server.mjs');
  const bun = join(import.meta.dirname, '../../../node_modules/.bin/bun');
  const child = spawn(adapter === 'elysia-bun' ? bun : process.execPath, [program], {
    env: {
      ...process.env,
      ADAPTER: adapter,
      PORT: '0',
      NODE_ENV: 'production',
      NG_ALLOWED_HOSTS: 'localhost',
      PURGE_TOKEN,
      // Pages that other servers have stored are not this one's.
      REDIS_URL: '',
      REDIS_CLUSTER: '',
      SQLITE_FILE: '',
      RENDER_THREADS: '',
      RENDER_MAX_WAIT_MS: '',
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors += text));
  const exited = once(child, 'exit');
  const listening = new Promise<string>((resolve, reject) => {
    createInterface({ input: child.stdout }).on('line', (line) => {
      const url = line.split('Listening on ')[1];
      if (url !== undefined) resolve(url);
    });
    void exited.then(([code]) => reject(new Error(`${program} ended with ${code}:\n${errors}`)));
  });
  const url = await listening;
  return {
    origin: url.slice(0, -1),
    child,
    stop: async (signal) => {
      child.kill(signal ?? 'SIGKILL');
      const [code] = (await exited) as [number | null];
      return code;
    },
  };
}
