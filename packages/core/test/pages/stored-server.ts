import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';
import type { EngineSetup, RenderEngine, SsrError, SsrOptions } from '@ng-ssr/core';
import { type Answer, type Exchange, SsrHandler } from '@ng-ssr/core/adapter';
import { plainExchange } from '../plain-exchange.ts';

/** An answer as a client sees it. */
export interface Seen {
  readonly status: number;
  readonly text: string;
  readonly body: Uint8Array | null;
  readonly headers: readonly string[];
  /** What Cache-Status says, without this server's name. */
  readonly cache: string;
  /** Whether it came out of the store, fresh or stale. */
  readonly isHit: boolean;
  /** The values of a header, joined as a client would join them. */
  header(name: string): string | undefined;
}

/** How often the engine was asked, and with what. */
export interface StoredServer {
  readonly handler: SsrHandler;
  readonly requests: Request[];
  readonly contexts: unknown[];
  readonly errors: SsrError[];
  /** As an adapter asks: what is held first, then a render. */
  get(target: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Seen>;
  /** The same for a request that is more than a target and headers. */
  ask(exchange: Exchange): Promise<Seen>;
}

/** Renders a page; the count is that of all renders so far. */
export type Page = (
  request: Request,
  count: number,
  context: unknown,
  setup?: EngineSetup,
) => Response | null | Promise<Response | null>;

/** A build folder with nothing in it. */
export const emptySite: string = mkdtempSync(join(tmpdir(), 'ng-ssr-stored-'));
afterAll(() => rmSync(emptySite, { recursive: true, force: true }));

/** A handler over an engine that a test writes, without built files. */
export function storedServer(page: Page, options: Partial<SsrOptions> = {}): StoredServer {
  const requests: Request[] = [];
  const contexts: unknown[] = [];
  const errors: SsrError[] = [];
  let engineSetup: EngineSetup;
  const engine: RenderEngine = (request, context) => {
    requests.push(request);
    contexts.push(context);
    return page(request, requests.length, context, engineSetup);
  };
  const handler = new SsrHandler({
    engine: Object.assign(engine, { setup: (setup: EngineSetup) => (engineSetup = setup) }),
    allowedHosts: ['localhost', 'other.example'],
    errorDetails: false,
    onError: (error) => errors.push(error),
    ...options,
    files: { folder: emptySite, ...options.files },
  });
  const ask = async (exchange: Exchange): Promise<Seen> => {
    const answer = handler.answer(exchange) ?? (await handler.render(exchange, { user: 'ann' }));
    return toSeen(answer ?? handler.notFound(exchange));
  };
  return {
    handler,
    requests,
    contexts,
    errors,
    ask,
    get: (target, headers, method) => ask(plainExchange(target, headers, method)),
  };
}

/** A page of text with these headers. */
export function html(
  text: string,
  headers: Readonly<Record<string, string>>,
  status = 200,
): Response {
  return new Response(`<!doctype html><p>${text}</p>`, {
    status,
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  });
}

/** A server whose every page has these headers, and the number of its render as its text. */
export function numbered(
  headers: Readonly<Record<string, string>>,
  options?: Partial<SsrOptions>,
): StoredServer {
  return storedServer((_request, count) => html(`render ${count}`, headers), options);
}

export function toSeen({ status, headers, body }: Answer): Seen {
  const header = (name: string): string | undefined => {
    const values = headers.filter((_value, i) => headers[i - 1]?.toLowerCase() === name && i % 2);
    return values.length === 0 ? undefined : values.join(', ');
  };
  const cache = (header('cache-status') ?? '').replace(/^ng-ssr; /, '');
  return {
    status,
    body,
    headers,
    header,
    cache,
    isHit: cache.startsWith('hit'),
    text: body === null ? '' : Buffer.from(body).toString(),
  };
}
