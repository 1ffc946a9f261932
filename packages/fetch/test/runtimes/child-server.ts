/**
 * Runs in a child process on Bun or Deno: a server whose engine is the suite's, in the process that
 * started it and reached over loopback HTTP. See engine-server.ts for the other end.
 */
import { createFetchSsrHandler, type FetchSsrHandler } from '@ng-ssr/fetch/server';
import type { RenderEngine } from '@ng-ssr/core';
import type { ChildOptions, RenderOutcome } from './engine-protocol.ts';

/** A server that listens. */
interface Started {
  readonly port: number;
  stop(): Promise<unknown>;
}

/**
 * Serves until the standard input ends; the port is printed when every coding is made.
 *
 * @param start - Starts a server on any free port.
 */
export async function runChildServer(start: (ssr: FetchSsrHandler) => Started): Promise<void> {
  const { engineOrigin, builtHosts, options } = JSON.parse(process.argv[2]!) as ChildOptions;
  /** What the starting process must know before the response is there. */
  let told: Promise<unknown> = Promise.resolve();
  const tell = (path: string, value: unknown): Promise<Response> =>
    fetch(engineOrigin + path, { method: 'POST', body: JSON.stringify(value) });

  const render: RenderEngine = async ({ url, headers }) => {
    await told;
    const answer = await tell('/render', { url, headers: [...headers] });
    return toResponse((await answer.json()) as RenderOutcome);
  };
  const ssr = createFetchSsrHandler({
    ...options,
    engine: Object.assign(render, {
      setup: (setup: unknown) => void (told = tell('/setup', setup)),
      allowedHosts: () => builtHosts,
    }),
    onError: ({ code, message, cause }) => {
      const error = { code, message, cause: cause instanceof Error ? cause.message : undefined };
      told = Promise.all([told, tell('/error', error)]);
    },
  });
  const server = start(
    Object.assign((request: Request) => ssr(request), ssr, {
      render: async (...args: Parameters<typeof ssr.render>) => {
        const response = await ssr.render(...args);
        await told;
        return response;
      },
    }),
  );
  await ssr.ready();
  console.log(server.port);
  for await (const _ of process.stdin);
  await server.stop();
  await ssr.close();
  process.exit();
}

function toResponse(outcome: RenderOutcome): Response | null {
  switch (outcome.kind) {
    case 'null':
      return null;
    case 'failure':
      throw outcome.message === undefined ? undefined : new Error(outcome.message);
    case 'response': {
      const { status, headers, body, failure } = outcome;
      const bytes = Buffer.from(body, 'base64');
      if (failure === undefined)
        return new Response(bytes.length ? bytes : null, { status, headers });
      const stream = new ReadableStream({
        pull(controller) {
          controller.enqueue(bytes);
          controller.error(new Error(failure));
        },
      });
      return new Response(stream, { status, headers });
    }
  }
}
