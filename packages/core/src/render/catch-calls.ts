import type { SsrError } from '../errors.ts';
import { isPromise } from '../platform/is-promise.ts';
import { type CallChain, currentChain, isLinked, noteLoop, pageLink } from './call-chain.ts';
import type { Call, CallMaker } from './call.ts';
import {
  type FetchInit,
  type FetchInput,
  isForRuntime,
  resolveInput,
  toCall,
} from './fetch-arguments.ts';
import { toResponse } from './fetched-response.ts';

/** Where the code that runs finds the render that has started it. */
export interface CallingRender {
  /** The page's URL. */
  readonly url: string;
  readonly calls: CallMaker;
}

let isCatching = false;

/**
 * Has calls of `fetch` in renders made by their render's {@link CallMaker}. Other code gets the runtime's own
 * `fetch`, as if nothing had been replaced.
 *
 * @param current - The render that has started the code that runs, if it has a maker of calls.
 */
export function catchCalls(current: () => CallingRender | undefined): void {
  if (isCatching) return;
  isCatching = true;
  const runtimeFetch = globalThis.fetch;
  const fetch = function fetch(
    this: unknown,
    input: FetchInput,
    init: FetchInit = undefined,
  ): Promise<Response> {
    const render = current();
    // A module may go on after the render that has started it, such as one that keeps a configuration up to date.
    const isLate = render?.calls.isOver === true && isAbsolute(input);
    if (render === undefined || isLate) {
      const chain = currentChain();
      const loop = chain && tryToFindLoop(chain, input, init);
      if (loop !== undefined) return Promise.reject(loop);
      return Reflect.apply(runtimeFetch, this, [input, init]) as Promise<Response>;
    }
    try {
      const url = resolveInput(input, render.calls.baseUrl ?? render.url);
      // It says what is wrong with a URL.
      if (url === undefined) return runtimeFetch(input, init);
      if (!isForRuntime(url, input, init)) return make(render.calls, toCall(url, input, init));
      return runtimeFetch(input instanceof Request ? input : url.href, init);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  };
  // Bun has `fetch.preconnect`.
  const {
    name: _name,
    length: _length,
    prototype: _prototype,
    ...own
  } = Object.getOwnPropertyDescriptors(runtimeFetch) as Record<string, PropertyDescriptor>;
  globalThis.fetch = Object.defineProperties(fetch, own) as typeof globalThis.fetch;
}

function isAbsolute(input: FetchInput): boolean {
  try {
    return absoluteUrl(input) !== null;
  } catch {
    return false;
  }
}

function absoluteUrl(input: FetchInput): URL | null {
  return URL.parse(requestOf(input)?.url ?? String(input));
}

function requestOf(input: FetchInput): Request | undefined {
  return typeof input === 'object' && input !== null && 'headers' in input ? input : undefined;
}

async function make(maker: CallMaker, read: Call | Promise<Call>): Promise<Response> {
  const call = isPromise(read) ? await read : read;
  try {
    return toResponse(await maker.make(call), call);
  } catch (error) {
    const { body } = call;
    if (body instanceof ReadableStream && !body.locked) void body.cancel(error).catch(() => {});
    throw error;
  }
}

/** Arguments that cannot be read are left to the runtime's `fetch`, which says why. */
function tryToFindLoop(...args: Parameters<typeof findLoop>): SsrError | undefined {
  try {
    return findLoop(...args);
  } catch {
    return undefined;
  }
}

/** The error of a route, called by a page, that fetches this page through the network: they would wait for each other. */
function findLoop(chain: CallChain, input: FetchInput, init: FetchInit): SsrError | undefined {
  const url = absoluteUrl(input);
  if (url === null) return undefined;
  const request = requestOf(input);
  const method = String(init?.method ?? request?.method ?? 'GET').toUpperCase();
  if (method !== 'GET' && method !== 'HEAD') return undefined;
  const page = pageLink(url.origin, `GET ${url.pathname}${url.search}`);
  if (!isLinked(chain.links, page)) return undefined;
  // A route may answer at the address of a page, with another type.
  const accept = readAccept(init?.headers ?? request?.headers);
  return accept.includes('html') || accept.includes('*/*') ? noteLoop(chain, page) : undefined;
}

/** Iterables of other kinds are those of the runtime's `fetch`: they may be read once. */
function readAccept(headers: RequestInit['headers']): string {
  const isOnce =
    typeof headers === 'object' &&
    Symbol.iterator in headers &&
    !(headers instanceof Headers || headers instanceof Map) &&
    !(Array.isArray(headers) && headers.every(Array.isArray));
  return (isOnce ? null : new Headers(headers).get('accept')) ?? '*/*';
}
