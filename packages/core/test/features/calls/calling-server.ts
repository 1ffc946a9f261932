import {
  type CallEvent,
  type CallRules,
  type CallsOptions,
  channelOf,
  type SsrOptions,
  withCalls,
} from '@ng-ssr/core';

import { onTestFinished } from 'vitest';
import { storedServer, type StoredServer } from '../../pages/stored-server.ts';

/** What a page has received for a call. */
export interface Got {
  readonly status: number;
  readonly text: string;
  readonly headers: Record<string, string>;
  /** Set if the call has failed. */
  readonly error: string | undefined;
  readonly result: CallEvent['result'] | undefined;
}

/** A server whose pages make one call each. */
export interface CallingServer {
  readonly server: StoredServer;
  /** Renders a page that makes a call. */
  call(url: string, init?: RequestInit, headers?: Record<string, string>): Promise<Got>;
}

let pages = 0;

export function callingServer(
  calls: CallRules,
  options: Partial<SsrOptions> = {},
  ofCalls: CallsOptions = {},
): CallingServer {
  const asked = new Map<string, { url: string; init: RequestInit | undefined }>();
  const results = new Map<string, CallEvent['result']>();
  const listener = ({ name, result }: CallEvent): void => void results.set(name, result);
  channelOf('ng-ssr:call').subscribe(listener);
  onTestFinished(() => channelOf('ng-ssr:call').unsubscribe(listener));
  const server = storedServer(
    async (request) => {
      const { url, init } = asked.get(new URL(request.url).pathname)!;
      let got: object;
      try {
        const response = await fetch(url, init);
        const headers = Object.fromEntries(response.headers);
        got = { status: response.status, headers, text: await response.text() };
      } catch (error) {
        got = { status: 0, headers: {}, text: '', error: String(error) };
      }
      return new Response(JSON.stringify(got), { headers: { 'content-type': 'text/html' } });
    },
    { ...options, features: [withCalls(calls, ofCalls), ...(options.features ?? [])] },
  );
  return {
    server,
    call: async (url, init, headers) => {
      const path = `/page/${++pages}`;
      asked.set(path, { url, init });
      const { text } = await server.get(path, headers);
      return { ...(JSON.parse(text) as Got), result: results.get(`GET ${path}`) };
    },
  };
}
