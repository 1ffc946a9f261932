import type { IncomingMessage } from 'node:http';

/** A request to the shop's API, as a route reads it, whatever the framework. */
export interface ApiRequest {
  /** Values of the segments that the path names: `id` of `/api/products/:id`. */
  readonly params: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly query: URLSearchParams;
  /** The value of a request header; its name is in lower case. */
  header(name: string): string | undefined;
}

/** What a route answers. */
export interface ApiAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** A route of the API. Every framework here takes a path of this form. */
export interface ApiRoute {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  answer(request: ApiRequest): Promise<ApiAnswer>;
}

type Params = ApiRequest['params'];

/** A request of node:http, on which Koa, Express and Fastify are built. */
export function ofNode({ url = '/', headers }: IncomingMessage, params: Params): ApiRequest {
  const header = (name: string) => headers[name]?.toString();
  return { params, query: queryOf(url), header };
}

/** A request of the Fetch standard, which Hono, h3 and Elysia have. */
export function ofFetch({ url, headers }: Request, params: Params = {}): ApiRequest {
  return { params, query: queryOf(url), header: (name) => headers.get(name) ?? undefined };
}

function queryOf(url: string): URLSearchParams {
  const at = url.indexOf('?');
  return new URLSearchParams(at < 0 ? '' : url.slice(at + 1));
}
