import type { SsrError } from '../errors.ts';
import { type CallChain, currentChain, noteLoop, pageLink } from './call-chain.ts';
import { type CallMaker, type FetchInput, toCall, toResponse } from './call.ts';

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
    init?: RequestInit,
  ): Promise<Response> {
    const render = current();
    if (render === undefined) {
      const chain = currentChain();
      const loop = chain && findLoop(chain, input, init);
      if (loop !== undefined) return Promise.reject(loop);
      return Reflect.apply(runtimeFetch, this, [input, init]) as Promise<Response>;
    }
    try {
      const call = toCall(input, init, render.calls.baseUrl ?? render.url);
      return call === undefined
        ? runtimeFetch(input, init)
        : render.calls.make(call).then(toResponse);
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

/** The error of a route, called by a page, that fetches this page through the network: they would wait for each other. */
function findLoop(
  chain: CallChain,
  input: FetchInput,
  init: RequestInit | undefined,
): SsrError | undefined {
  const request = typeof input === 'object' && 'headers' in input ? input : undefined;
  const method = (init?.method ?? request?.method ?? 'GET').toUpperCase();
  const written = request?.url ?? String(input);
  if ((method !== 'GET' && method !== 'HEAD') || !URL.canParse(written)) return undefined;
  // A route may answer at the address of a page, with another type.
  const accept = new Headers(init?.headers ?? request?.headers).get('accept') ?? '*/*';
  if (!accept.includes('html') && !accept.includes('*/*')) return undefined;
  const { origin, pathname, search } = new URL(written);
  return noteLoop(chain, pageLink(origin, `GET ${pathname}${search}`));
}
