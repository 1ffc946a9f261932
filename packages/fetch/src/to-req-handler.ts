/**
 * Marks a fetch handler as the one that the Angular CLI calls under `ng serve` and while it
 * prerenders, as `createRequestHandler` of `@angular/ssr` does. What {@link createFetchSsrHandler}
 * returns is marked already; an app with routes of its own is to be.
 *
 * @see https://angular.dev/api/ssr/createRequestHandler
 * @example
 * ```ts
 * export const reqHandler = toReqHandler((request) => app.fetch(request));
 * ```
 */
export function toReqHandler<Handler extends object>(handler: Handler): Handler {
  return Object.assign(handler, { __ng_request_handler__: true });
}
