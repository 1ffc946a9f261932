/** A call to the server's own routes. */
export interface RouteRequest {
  readonly method: string;
  readonly url: URL;
  /** With a Host, and without headers of connections and of the content's length. */
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
  /** Aborts when the page does not need the response any more. */
  readonly signal: AbortSignal;
}

/** The response of the server's own routes; a Response is one. */
export interface RouteResponse {
  readonly status: number;
  readonly statusText: string;
  readonly headers: Headers;
  readonly body: Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array> | null;
}

/** The server's own routes and middleware, and the pages after them: what a client's request reaches. */
export type Routes = (request: RouteRequest) => RouteResponse | Promise<RouteResponse>;
