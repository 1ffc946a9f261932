import type { Context as HonoContext } from 'hono';

/** Of a Worker with the binding `ASSETS`. */
export type Context = HonoContext<{
  Bindings: { ASSETS: { fetch(request: Request): Promise<Response> } };
}>;
