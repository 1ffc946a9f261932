/**
 * Marks a request listener as the one that the Angular CLI calls under `ng serve` and while it
 * prerenders, as `createNodeRequestHandler` of `@angular/ssr/node` does; an adapter must not import
 * that.
 *
 * @see https://angular.dev/api/ssr/node/createNodeRequestHandler
 */
export function toReqHandler<Handler extends object>(handler: Handler): Handler {
  return Object.assign(handler, { __ng_node_request_handler__: true });
}
