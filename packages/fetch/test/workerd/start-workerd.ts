import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';

/** The path of the program itself: that in .bin passes no file descriptors on. */
const { default: program } = createRequire(import.meta.url)('workerd') as {
  readonly default: string;
};

/** Why workerd cannot run, with the command that provides it; undefined when it can. */
export const missingWorkerd: string | undefined = findMissing();

/** @throws Error where it is missing and CI=true: there nothing may be skipped. */
function findMissing(): string | undefined {
  if (spawnSync(program, ['--version']).status === 0) return undefined;
  const missing = 'workerd cannot run: `npm rebuild workerd` provides it';
  if (process.env['CI'] === 'true') throw new Error(missing);
  return missing;
}

/** A Worker that listens on loopback. */
export interface Workerd {
  readonly port: number;
  /** What it has printed so far. */
  readonly printed: () => string;
  close(): Promise<void>;
}

/**
 * Starts Cloudflare's runtime, without its Node compatibility, on any free port.
 *
 * @param folder - With the modules; the configuration is written to it.
 * @param modules - Their names; the first is the Worker.
 * @param assetsFolder - For the binding ASSETS.
 * @param origin - The address that gets all that the Worker fetches, such as `127.0.0.1:4000`. Default: that of its URL.
 */
export async function startWorkerd(
  folder: string,
  modules: readonly string[],
  assetsFolder: string,
  origin?: string,
): Promise<Workerd> {
  const config = join(folder, 'config.capnp');
  await writeFile(config, configOf(modules, assetsFolder, origin));
  const child: ChildProcess = spawn(program, ['serve', config, '--control-fd=3'], {
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
  });
  let printed = '';
  for (const stream of [child.stdout!, child.stderr!]) {
    stream.setEncoding('utf8').on('data', (text: string) => (printed += text));
  }
  const exited = once(child, 'exit');
  const listens = (async () => {
    for await (const line of createInterface(child.stdio[3] as Readable)) {
      const { event, port } = JSON.parse(line) as { event: string; port: number };
      if (event === 'listen') return port;
    }
    throw new Error(`workerd has ended before it listens: ${printed}`);
  })();
  const port = await listens;
  return {
    port,
    printed: () => printed,
    async close() {
      child.kill();
      await exited;
    },
  };
}

function configOf(modules: readonly string[], assetsFolder: string, origin?: string): string {
  const outbound =
    origin === undefined
      ? 'network = (allow = ["private"])'
      : `external = (address = "${origin}", http = ())`;
  const list = modules.map((name) => `(name = "${name}", esModule = embed "${name}")`);
  return `using Workerd = import "/workerd/workerd.capnp";

const config :Workerd.Config = (
  services = [
    (name = "main", worker = .worker),
    (name = "assets", disk = (path = ${JSON.stringify(assetsFolder)})),
    (name = "outbound", ${outbound}),
  ],
  sockets = [(name = "http", address = "127.0.0.1:0", http = (), service = "main")],
);

const worker :Workerd.Worker = (
  modules = [${list.join(', ')}],
  compatibilityDate = "2025-09-01",
  compatibilityFlags = ["enable_request_signal"],
  bindings = [(name = "ASSETS", service = "assets")],
  globalOutbound = "outbound",
);
`;
}
