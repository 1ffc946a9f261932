import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { createHttp1Client } from '../client.ts';
import { nameOfFixture } from '../fixture-features.ts';
import type { ConformanceServer, ConformanceServerOptions, Hits } from '../server-contract.ts';
import { serveEngine } from './engine-server.ts';
import type { ChildParameters } from './protocol.ts';

/**
 * Starts a server in its own process, on any runtime; the engine in this process renders its pages. For
 * `createServer` of a suite.
 *
 * @param command - The runtime with its parameters, then the program: a module that serves through
 * `connectToSuite` of `@ng-ssr/conformance/child`.
 * @param options - As the suite passes them.
 * @param hits - As the suite passes it. Default: `after-middleware`.
 * @throws Error when the program ends before it listens.
 */
export async function startChild(
  command: readonly [string, ...string[]],
  { engine, onError, allowedHosts, features = [], ...options }: ConformanceServerOptions,
  serveHits: Hits = 'after-middleware',
): Promise<ConformanceServer> {
  const engineServer = await serveEngine({ engine, onError, allowedHosts });
  const parameters: ChildParameters = {
    engineOrigin: engineServer.origin,
    builtHosts: engine.allowedHosts?.() ?? [],
    serveHits,
    options: {
      ...options,
      allowedHosts: typeof allowedHosts === 'function' ? undefined : allowedHosts,
      features: features.map(nameOfFixture),
    },
  };
  const [runtime, ...rest] = command;
  const child = spawn(runtime, [...rest, JSON.stringify(parameters)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Through the console, what a server prints belongs to the test that has caused it.
  child.stderr.setEncoding('utf8').on('data', (text: string) => console.error(text.trimEnd()));
  const exited = once(child, 'exit').finally(() => engineServer.close());
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]();
  const nextLine = async (): Promise<string> => {
    const { value, done } = await lines.next();
    if (done !== true) return value;
    const [code] = (await exited) as [number | null];
    throw new Error(`${command.join(' ')} has ended with ${code}`);
  };

  const port = Number(await nextLine());
  const client = createHttp1Client(port);
  return {
    port,
    isInOtherProcess: true,
    client: {
      async request(request) {
        const response = await client.request(request);
        // The server's error report and its answer arrive on different connections.
        child.stdin.write('\n');
        await nextLine();
        return response;
      },
    },
    async close() {
      child.stdin.end();
      await exited;
    },
  };
}
