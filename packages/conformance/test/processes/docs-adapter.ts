/** What replaces parts of an adapter in programs of the documentation: see {@link file://./docs-server.ts}. */
import { pathToFileURL } from 'node:url';
import type { RenderEngine, StoredPages } from '@ng-ssr/core';

/** A call of a function in the program's process. */
export interface ToServer {
  readonly id: number;
  readonly name: string;
  readonly args: readonly unknown[];
}

/** Its result. */
export interface FromServer {
  readonly id: number;
  readonly result?: unknown;
  readonly error?: string;
}

type Called = (...args: readonly unknown[]) => unknown;

/** An engine whose pages contain the API's response to their path. */
export const apiEngine = (): RenderEngine => async (request) => {
  const { pathname } = new URL(request.url);
  const response = await fetch(`${process.env['API']}${pathname}`, { signal: request.signal });
  const { status } = response;
  const headers = { 'content-type': 'text/html' };
  return new Response(`<!doctype html><h1>${await response.text()}</h1>`, { status, headers });
};

/** Has a server take calls of the process that started it. */
export function controlled<T extends { readonly cache: StoredPages }>(server: T): T {
  process.on('message', ({ id, name, args }: ToServer) => {
    const reply = (message: Omit<FromServer, 'id'>): void =>
      void process.send?.({ id, ...message });
    call(server.cache, name, args).then(
      (result) => reply({ result }),
      (error: unknown) => reply({ error: String(error) }),
    );
  });
  // Else a listener for messages would keep the process of a server that has closed.
  process.channel?.unref();
  return server;
}

async function call(cache: StoredPages, name: string, args: readonly unknown[]): Promise<unknown> {
  const owner = name === 'purge' ? cache : await import(pathToFileURL(process.argv[1]!).href);
  return await (owner as unknown as Record<string, Called>)[name]!(...args);
}
