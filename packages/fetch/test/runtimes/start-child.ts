import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createInterface } from 'node:readline';
import { json } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { ConformanceServer, ConformanceServerOptions } from '@ng-ssr/conformance';
import type { RenderEngine } from '@ng-ssr/core';
import type { ChildOptions, RenderOutcome } from './engine-protocol.ts';
import type { Runtime } from './runtime.ts';

/**
 * Starts a server in a child process on another runtime; it renders with the engine that is here.
 *
 * @param runtime - Bun or Deno.
 * @param program - The module to run, beside this one.
 */
export async function startChild(
  runtime: Runtime,
  program: string,
  { engine, onError, ...options }: ConformanceServerOptions,
): Promise<ConformanceServer> {
  const engineServer = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(await take(request)));
  });
  const take = async (request: IncomingMessage): Promise<unknown> => {
    const value: unknown = await json(request);
    switch (request.url) {
      case '/render':
        return render(engine, value as { url: string; headers: [string, string][] });
      case '/setup':
        engine.setup?.(value as Parameters<NonNullable<RenderEngine['setup']>>[0]);
        return null;
      default: {
        const { code, message, cause } = value as Record<string, string | undefined>;
        onError(Object.assign(new Error(message, { cause: new Error(cause) }), { code }));
        return null;
      }
    }
  };
  engineServer.listen(0, '127.0.0.1');
  await once(engineServer, 'listening');
  const { port: enginePort } = engineServer.address() as AddressInfo;
  const childOptions: ChildOptions = {
    engineOrigin: `http://127.0.0.1:${enginePort}`,
    builtHosts: engine.allowedHosts?.() ?? [],
    options,
  };
  const [command, ...parameters] = runtime.command;
  const module = fileURLToPath(new URL(program, import.meta.url));
  const child = spawn(command, [...parameters, module, JSON.stringify(childOptions)], {
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  const [port] = (await Promise.race([
    once(createInterface(child.stdout), 'line'),
    exited.then(([code]) => Promise.reject(new Error(`${program} ended with ${code}`))),
  ])) as [string];
  return {
    port: Number(port),
    async close() {
      child.stdin.end();
      await exited;
      engineServer.closeAllConnections();
      engineServer.close();
    },
  };
}

async function render(
  engine: RenderEngine,
  { url, headers }: { url: string; headers: [string, string][] },
): Promise<RenderOutcome> {
  try {
    const response = await engine(new Request(url, { headers }));
    if (!response) return { kind: 'null' };
    const chunks: Uint8Array[] = [];
    let failure: string | undefined;
    try {
      for await (const chunk of response.body ?? []) chunks.push(chunk);
    } catch (error) {
      failure = (error as Error).message;
    }
    const body = Buffer.concat(chunks).toString('base64');
    const { status } = response;
    return { kind: 'response', status, headers: [...response.headers], body, failure };
  } catch (error) {
    return { kind: 'failure', message: (error as Error | undefined)?.message };
  }
}
