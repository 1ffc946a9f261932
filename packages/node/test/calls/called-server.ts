import { once } from 'node:events';
import { get, type IncomingMessage } from 'node:http';
import { text } from 'node:stream/consumers';
import type { CallRules, RouteRule, SsrError } from '@ng-ssr/core';
import {
  createNodeSsrServer,
  type NodeSsrServer,
  withCalls,
  withRouter,
} from '@ng-ssr/node/server';
import { onTestFinished } from 'vitest';
import { writeBuiltSite } from '../../../core/test/built-site.ts';

/** What a page does while it is rendered; the text that it returns is its content. */
export type CallingPage = (request: Request) => Promise<string>;

/** A server whose pages are functions that make calls. */
export interface CalledServer {
  readonly server: NodeSsrServer;
  /** Errors that `onError` got. */
  readonly errors: SsrError[];
  /** Starts it, once its routes are there. */
  listen(): Promise<string>;
}

interface CalledServerOptions {
  readonly pages: Readonly<Record<string, CallingPage>>;
  readonly calls: CallRules;
  readonly routeRules?: Readonly<Record<string, RouteRule>>;
  readonly concurrency?: number;
  readonly maxWaitMs?: number;
}

/** A page that fails answers with the error's code, or its name, and message. */
async function toResponse(page: CallingPage | undefined, request: Request) {
  if (page === undefined) return null;
  try {
    return new Response(await page(request), { headers: { 'content-type': 'text/html' } });
  } catch (error) {
    const { code, name, message } = error as SsrError;
    return new Response(`${code ?? name}: ${message}`, { status: 502 });
  }
}

export function createCalledServer(options: CalledServerOptions): CalledServer {
  const { pages, calls, routeRules = {}, concurrency, maxWaitMs } = options;
  const errors: SsrError[] = [];
  const server = createNodeSsrServer({
    engine: (request) => toResponse(pages[new URL(request.url).pathname], request),
    allowedHosts: ['localhost', '127.0.0.1', 'shop.example'],
    trustProxyHeaders: ['x-forwarded-proto'],
    files: { folder: writeBuiltSite({ 'browser/index.csr.html': '<app-root></app-root>' }) },
    ...{ features: [withRouter(), withCalls(calls)], routeRules },
    // A long page of a busy machine does not hang.
    render: {
      ...(concurrency && { concurrency }),
      ...(maxWaitMs && { maxWaitMs, timeoutMs: maxWaitMs }),
    },
    errorDetails: true,
    onError: (error) => void errors.push(error),
  });
  return {
    ...{ server, errors },
    async listen() {
      const listening = await server.listen({ port: 0, announce: false, shutdown: false });
      onTestFinished(() => server.close());
      return listening.url.replace(/\/$/, '');
    },
  };
}

/** Status and text of a page, over a connection of its own. */
export async function ask(
  url: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<[number | undefined, string]> {
  const request = get(url, { agent: false, headers });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  return [response.statusCode, await text(response)];
}
