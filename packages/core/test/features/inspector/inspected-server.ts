import { type InspectorState, type SsrOptions, withInspector } from '@ng-ssr/core';
import type { Exchange } from '@ng-ssr/core/adapter';
import { plainExchange } from '../../plain-exchange.ts';
import {
  html,
  type Page,
  type Seen,
  storedServer,
  type StoredServer,
} from '../../pages/stored-server.ts';

export const TOKEN = 'a-token-of-enough-characters';
export const PATH = '/_ng-ssr/inspector';
export const BEARER = { authorization: `Bearer ${TOKEN}` };

/** A server whose inspector is asked as an operator would. */
export interface InspectedServer extends StoredServer {
  /** Asks for a part of the inspector, by default with the token. */
  inspect(part: string, asked?: Asked): Promise<Seen>;
  state(): Promise<InspectorState>;
}

/** What is sent to the inspector. */
export interface Asked {
  readonly method?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly content?: unknown;
}

const storedPage: Page = (_request, count) =>
  html(`render ${count}`, { 'cache-control': 's-maxage=60' });

export function inspectedServer(
  page: Page = storedPage,
  options: Partial<SsrOptions> = {},
): InspectedServer {
  const inspector = withInspector({ path: PATH, token: TOKEN });
  const { features = [] } = options;
  const server = storedServer(page, { ...options, features: [inspector, ...features] });
  const inspect = (part: string, { method = 'GET', headers = BEARER, content }: Asked = {}) => {
    const text = typeof content === 'string' ? content : JSON.stringify(content ?? '');
    const bytes = Buffer.from(text);
    const exchange: Exchange = {
      ...plainExchange(PATH + part, headers, method),
      content: (maxBytes) =>
        Promise.resolve(bytes.byteLength > maxBytes ? undefined : new Uint8Array(bytes)),
    };
    return server.ask(exchange);
  };
  const state = async (): Promise<InspectorState> =>
    JSON.parse((await inspect('/state')).text) as InspectorState;
  return { ...server, inspect, state };
}

/** As a browser sends JSON from a page of the inspector, or from elsewhere. */
export function fromPage(
  cookie: string,
  more: Readonly<Record<string, string>> = {},
): Readonly<Record<string, string>> {
  return {
    cookie,
    'content-type': 'application/json',
    'sec-fetch-site': 'same-origin',
    ...more,
  };
}
