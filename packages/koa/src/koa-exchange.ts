import { NodeExchange } from '@ng-ssr/node/adapter';
import type { Context } from 'koa';

/** The core's view of a Koa request. */
export class KoaExchange extends NodeExchange {
  readonly #context: Context;

  /** @param target - The whole, where a mount has taken its part off. */
  constructor(context: Context, target: string) {
    super(context.req, context.res, target);
    this.#context = context;
  }

  /** Koa starts every response as a 404 until somebody answers. */
  override get status(): number {
    const { statusCode } = this.response;
    return statusCode === 404 ? 200 : statusCode;
  }

  /** Body parsers for Koa leave it on Koa's own request. */
  protected override get parsed(): unknown {
    return (this.#context.request as { body?: unknown }).body;
  }
}
