import { gunzipSync } from 'node:zlib';
import type { SlotOptions, SsrOptions } from '@ng-ssr/core';
import { withSlots } from '@ng-ssr/core';
import type { Answer, Exchange, StreamedAnswer } from '@ng-ssr/core/adapter';
import { headerOf } from '../../header-of.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { type Page, type StoredServer, storedServer } from '../../pages/stored-server.ts';

/** A client with a session. */
export const ANN = { cookie: 'session=ann' };
export const STORED = { 'cache-control': 'public, s-maxage=60', 'content-type': 'text/html' };

const TEXT = 'The same for all. '.repeat(100);

/** A cached page. */
export const page: Page = (_request, count) =>
  new Response(`<html><body><p>${TEXT}render ${count}</p></body></html>`, { headers: STORED });

/** A response, read to its end. */
export interface Read {
  readonly status: number;
  readonly isStreamed: boolean;
  /** Whether adapters are told that it is of one client. */
  readonly isPersonal: boolean;
  /** Each piece as it came. */
  readonly pieces: readonly Uint8Array[];
  /** Decoded, if it was gzip. */
  readonly text: string;
  /** The data of its slots, by name. */
  readonly slots: Readonly<Record<string, unknown>>;
  header(name: string): string | undefined;
}

export interface SlottedServer extends StoredServer {
  /** As adapters do. */
  answer(exchange: Exchange, context?: unknown): Promise<Answer | StreamedAnswer>;
  read(target: string, headers?: Readonly<Record<string, string>>, method?: string): Promise<Read>;
}

export function slottedServer(
  slots: Readonly<Record<string, SlotOptions>>,
  options: Partial<SsrOptions> = {},
  render: Page = page,
): SlottedServer {
  const { features = [], ...others } = options;
  const server = storedServer(render, { ...others, features: [withSlots(slots), ...features] });
  const { handler } = server;
  const answer: SlottedServer['answer'] = async (exchange, context) =>
    handler.answer(exchange) ??
    (await handler.largeFile(exchange)) ??
    (await handler.complete(exchange, context)) ??
    handler.notFound(exchange);
  return {
    ...server,
    answer,
    read: async (target, headers = ANN, method = 'GET') =>
      readAnswer(await answer(plainExchange(target, headers, method))),
  };
}

export async function readAnswer(answer: Answer | StreamedAnswer): Promise<Read> {
  const pieces: Uint8Array[] = [];
  if ('content' in answer) {
    for (let piece = await answer.content.read(); piece; piece = await answer.content.read()) {
      pieces.push(piece);
    }
  } else if (answer.body !== null) pieces.push(answer.body);
  const header = (name: string): string | undefined => headerOf(answer, name);
  const whole = Buffer.concat(pieces);
  const text = (header('content-encoding') === 'gzip' ? gunzipSync(whole) : whole).toString();
  const found = text.matchAll(/<script [^>]*data-ng-ssr-slot="([\w-]+)">([^<]+)\n<\/script>/g);
  const slots = Object.fromEntries(
    [...found].map(([, name, json]) => [name!, JSON.parse(json!) as unknown]),
  );
  return {
    ...{ status: answer.status, isStreamed: 'content' in answer },
    ...{ isPersonal: 'isPersonal' in answer, pieces, text, slots, header },
  };
}

/** Asks a server as its adapters do, and reads the answer. */
export function asker(
  handler: StoredServer['handler'],
  usual: Readonly<Record<string, string>>,
): (target: string, headers?: Readonly<Record<string, string>>, method?: string) => Promise<Read> {
  return async (target, headers = usual, method = 'GET') => {
    const exchange = plainExchange(target, headers, method);
    const answer =
      handler.answer(exchange) ?? (await handler.complete(exchange)) ?? handler.notFound(exchange);
    return readAnswer(answer);
  };
}
