/**
 * Marks a fetch handler as the one that the Angular CLI calls under `ng serve` and while it
 * prerenders, as `createRequestHandler` of `@angular/ssr` does. The result of
 * {@link createFetchSsrHandler} is already marked; mark an app with its own routes yourself.
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
