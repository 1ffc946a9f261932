import { FetchExchange } from './fetch-exchange.ts';
import type { EarlierResponse } from './to-response.ts';

/** What platforms pass with a request: Cloudflare's context, Fastly's event. Others pass something else, or nothing. */
export interface PlatformContext {
  waitUntil?(work: Promise<unknown>): void;
}

/** Hono passes its own context, which has the platform's. */
interface FrameworkContext {
  readonly executionCtx?: PlatformContext;
}

/** The core's view of a Request on a platform without Node's modules. */
export class NeutralExchange extends FetchExchange {
  /** The arguments that the platform passes with the request. */
  readonly rest: readonly unknown[];
  readonly waitUntil?: (work: Promise<unknown>) => void;

  constructor(request: Request, earlier: EarlierResponse | undefined, rest: readonly unknown[]) {
    super(request, earlier);
    this.rest = rest;
    const context = contextOf(rest);
    if (typeof context?.waitUntil !== 'function') return;
    this.waitUntil = (work) => {
      try {
        context.waitUntil!(work);
      } catch {
        // The platform takes no more work of this request: it goes on as long as others do.
      }
    };
  }

  override onDisconnect(listener: () => void): () => void {
    // Not all platforms give requests a signal.
    const { signal } = this.request as { readonly signal?: AbortSignal | null };
    return signal ? super.onDisconnect(listener) : () => undefined;
  }
}

/** Undefined on platforms that have none: Hono throws then. */
function contextOf([first, second]: readonly unknown[]): PlatformContext | undefined {
  if (second !== undefined) return second as PlatformContext;
  try {
    return (first as FrameworkContext | null | undefined)?.executionCtx;
  } catch {
    return undefined;
  }
}
