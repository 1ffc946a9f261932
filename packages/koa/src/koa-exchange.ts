import { NodeExchange } from '@ng-ssr/node/adapter';
import type { Context } from 'koa';

/** The core's view of a Koa request. */
export class KoaExchange extends NodeExchange {
  readonly #context: Context;

  /** @param target - The full target, also below a mount. */
  constructor(context: Context, target: string) {
    super(context.req, context.res, target);
    this.#context = context;
  }

  /** Koa sets every response to 404 until it is answered. */
  override get status(): number {
    const { statusCode } = this.response;
    return statusCode === 404 ? 200 : statusCode;
  }

  /** Body parsers for Koa set `body` on Koa's request, not on Node's. */
  protected override get parsed(): unknown {
    return (this.#context.request as { body?: unknown }).body;
  }
}
