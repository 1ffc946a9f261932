import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Answer, SsrHandler, type SsrError, type SsrOptions } from '@ng-ssr/core';
import { plainExchange } from '../plain-exchange.ts';

/** An answer as a client sees it. */
export interface Seen {
  readonly status: number;
  readonly text: string;
  field(name: string): string | undefined;
}

/** How often the engine was asked, and with what. */
export interface StoredServer {
  readonly handler: SsrHandler;
  readonly requests: Request[];
  readonly contexts: unknown[];
  readonly errors: SsrError[];
  /** As an adapter asks: what is held first, then a render. */
  get(target: string, fields?: Readonly<Record<string, string>>, method?: string): Promise<Seen>;
}

/** Renders a page; the count is that of all renders so far. */
export type Page = (
  request: Request,
  count: number,
  context: unknown,
) => Response | null | Promise<Response | null>;

/** A handler over an engine that a test writes, without built files. */
export function storedServer(page: Page, options: Partial<SsrOptions> = {}): StoredServer {
  const requests: Request[] = [];
  const contexts: unknown[] = [];
  const errors: SsrError[] = [];
  const handler = new SsrHandler({
    engine: (request, context) => {
      requests.push(request);
      contexts.push(context);
      return page(request, requests.length, context);
    },
    allowedHosts: ['localhost', 'other.example'],
    browserFolder: mkdtempSync(join(tmpdir(), 'ng-ssr-stored-')),
    errorDetails: false,
    onError: (error) => errors.push(error),
    ...options,
  });
  return {
    handler,
    requests,
    contexts,
    errors,
    async get(target, fields, method = 'GET') {
      const exchange = plainExchange(target, fields, method);
      const answer = handler.answer(exchange) ?? (await handler.render(exchange, { user: 'ann' }));
      return toSeen(answer ?? handler.notFound(exchange));
    },
  };
}

/** A page of text with these fields, counting renders. */
export function html(text: string, headers: Readonly<Record<string, string>>): Response {
  return new Response(`<!doctype html><p>${text}</p>`, {
    headers: { 'content-type': 'text/html; charset=utf-8', ...headers },
  });
}

function toSeen({ status, headers, body }: Answer): Seen {
  return {
    status,
    text: body === null ? '' : Buffer.from(body).toString(),
    field(name) {
      for (let i = 0; i < headers.length; i += 2) {
        if (headers[i]!.toLowerCase() === name) return headers[i + 1];
      }
      return undefined;
    },
  };
}
