import { platform } from '#platform';
import { isUnsafe } from '../http/unsafe-method.ts';
import type { CallMaker } from './call.ts';

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

/** What Node publishes of a request as it leaves the process. */
interface Sent {
  readonly request?: SentRequest;
  /** Of `node:http2`. */
  readonly headers?: Readonly<Record<string, unknown>>;
}

const CHANNELS = [
  'undici:request:create',
  'http.client.request.created',
  // Of versions that do not have the one before.
  'http.client.request.start',
  // Since Node 24.
  'http2.client.stream.created',
];

interface UnsafeCalls {
  count: number;
  /** Method and address, without the query, which may have secrets. */
  latest: string;
}

/** Of the process: each locale's bundle contains this module. */
const NAME = Symbol.for('ng-ssr.unsafe-calls');
const sent: UnsafeCalls = ((globalThis as { [NAME]?: UnsafeCalls })[NAME] ??= {
  count: 0,
  latest: '',
});

let isWatching = false;

/**
 * Watches for unsafe requests (RFC 9110 section 9.2.1) that the process sends from now on, whatever sends them: `fetch`,
 * HttpClient over XHR, `node:http` or `node:http2`. Bun and Deno do not publish theirs, Node before 24 not those of
 * `node:http2`.
 *
 * All of the process count, because a render does not send each of its calls itself: code that several renders share
 * may send them together.
 *
 * @returns a function that gives the latest such request.
 */
export function watchUnsafeCalls(): () => string | undefined {
  subscribe();
  const { count } = sent;
  return () => (sent.count === count ? undefined : sent.latest);
}

function subscribe(): void {
  if (isWatching) return;
  isWatching = true;
  for (const name of CHANNELS) {
    platform.channel(name).subscribe((message) => {
      const { request, headers } = message as Sent;
      if (request?.method !== undefined) noteCall(request.method, addressOf(request));
      else if (headers !== undefined) noteStream(headers);
    });
  }
}

function addressOf(request: SentRequest): string {
  const { origin, protocol = 'http:', path = '' } = request;
  return `${origin?.toString() ?? `${protocol}//${String(request.getHeader?.('host'))}`}${path}`;
}

function noteStream(headers: Readonly<Record<string, unknown>>): void {
  const read = (name: string): string => String(headers[`:${name}`]);
  noteCall(read('method'), `${read('scheme')}://${read('authority')}${read('path')}`);
}

/** A maker of calls whose unsafe ones are noted: those in process send nothing over the network. */
export function notingCalls(calls: CallMaker): CallMaker {
  return {
    get baseUrl() {
      return calls.baseUrl;
    },
    get isOver() {
      return calls.isOver;
    },
    make(call) {
      noteCall(call.method, call.url);
      return calls.make(call);
    },
  };
}

function noteCall(method: string, url: string): void {
  if (!isUnsafe(method)) return;
  sent.count++;
  sent.latest = `${method} ${url.split('?', 1)[0]}`;
}
