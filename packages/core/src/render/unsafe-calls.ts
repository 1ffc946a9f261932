import { platform } from '#platform';
import { isUnsafe } from '../http/unsafe-method.ts';
import type { CallMaker } from './call.ts';

/** Where the first unsafe call of a render is noted. */
export interface CallNote {
  /** Method and address, without the query, which may have secrets. */
  unsafeCall: string | undefined;
}

/** A request of undici, which is the runtime's `fetch`, or of `node:http`. */
interface SentRequest {
  readonly method?: string;
  readonly path?: string;
  /** Of undici. */
  readonly origin?: string | URL;
  /** Of `node:http`. */
  readonly protocol?: string;
  getHeader?(name: 'host'): unknown;
}

/** Node publishes each request that leaves the process, in the asynchronous context of its caller. */
const CHANNELS = [
  'undici:request:create',
  'http.client.request.created',
  // Of versions that do not have the one before.
  'http.client.request.start',
];

let isWatching = false;

/**
 * Notes unsafe requests (RFC 9110 section 9.2.1) that renders send over the network, whatever sends them: `fetch`,
 * HttpClient over XHR, or `node:http`. Bun and Deno do not publish theirs.
 *
 * @param current - The render that has started the code that runs.
 */
export function watchUnsafeCalls(current: () => CallNote | undefined): void {
  if (isWatching) return;
  isWatching = true;
  for (const name of CHANNELS) {
    platform.channel(name).subscribe((message) => {
      const render = current();
      if (render === undefined) return;
      const { request } = message as { readonly request?: SentRequest };
      if (request?.method !== undefined) noteCall(render, request.method, addressOf(request));
    });
  }
}

function addressOf(request: SentRequest): string {
  const { origin, protocol = 'http:', path = '' } = request;
  return `${origin?.toString() ?? `${protocol}//${String(request.getHeader?.('host'))}`}${path}`;
}

/** A maker of calls whose unsafe ones are noted: those in process send nothing over the network. */
export function notingCalls(calls: CallMaker, render: CallNote): CallMaker {
  return {
    get baseUrl() {
      return calls.baseUrl;
    },
    get isOver() {
      return calls.isOver;
    },
    make(call) {
      noteCall(render, call.method, call.url);
      return calls.make(call);
    },
  };
}

function noteCall(render: CallNote, method: string, url: string): void {
  if (isUnsafe(method)) render.unsafeCall ??= `${method} ${url.split('?', 1)[0]}`;
}
