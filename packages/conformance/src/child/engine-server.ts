import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { json } from 'node:stream/consumers';
import type { EngineSetup, RenderEngine } from '@ng-ssr/core';
import { unhandledElsewhere } from '../leave-unhandled.ts';
import type { ConformanceServerOptions } from '../server-contract.ts';
import type { HostAnswer, RenderOutcome, RenderQuestion, ReportedError } from './protocol.ts';

/** The suite's engine, for other processes. */
export interface EngineServer {
  readonly origin: string;
  close(): void;
}

/** Serves an engine, and receives the servers' errors, over loopback HTTP. */
export async function serveEngine({
  engine,
  onError,
  allowedHosts,
}: Pick<ConformanceServerOptions, 'engine' | 'onError' | 'allowedHosts'>): Promise<EngineServer> {
  const take = async (request: IncomingMessage): Promise<RenderOutcome | HostAnswer | null> => {
    const value: unknown = await json(request);
    switch (request.url) {
      case '/render':
        return render(engine, value as RenderQuestion);
      case '/host':
        return judgeHost(allowedHosts, value as string);
      case '/setup':
        engine.setup?.(value as EngineSetup);
        return null;
      default: {
        const { code, message, cause } = value as ReportedError;
        onError(Object.assign(new Error(message, { cause: new Error(cause) }), { code }));
        return null;
      }
    }
  };
  const server = createServer(async (request, response) => {
    response.setHeader('Content-Type', 'application/json');
    response.end(JSON.stringify(await take(request)));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close() {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function judgeHost(
  allowedHosts: ConformanceServerOptions['allowedHosts'],
  host: string,
): Promise<HostAnswer> {
  if (typeof allowedHosts !== 'function') return {};
  try {
    return { isAllowed: await allowedHosts(host) };
  } catch {
    return {};
  }
}

async function render(
  engine: RenderEngine,
  { url, headers }: RenderQuestion,
): Promise<RenderOutcome> {
  try {
    const list = headers.map(([name, value]): [string, string] => [name, value]);
    const unhandled: string[] = [];
    const response = await unhandledElsewhere.run(
      ({ message }) => void unhandled.push(message),
      async () => engine(new Request(url, { headers: list })),
    );
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
    return { kind: 'response', status, headers: [...response.headers], body, failure, unhandled };
  } catch (error) {
    return { kind: 'failure', message: (error as Error | undefined)?.message };
  }
}
