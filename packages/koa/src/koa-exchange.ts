import { NodeExchange } from '@ng-ssr/node/adapter';
import type { Context } from 'koa';

/** The core's view of a Koa request. */
export class KoaExchange extends NodeExchange {
  constructor(context: Context) {
    super(context.req, context.res, context.req.url);
  }

  /** Koa starts every response as a 404 until somebody answers. */
  override get status(): number {
    const { statusCode } = this.response;
    return statusCode === 404 ? 200 : statusCode;
  }
}
