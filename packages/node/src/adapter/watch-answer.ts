import { isUnsafe, SsrError, type SsrHandler } from '@ng-ssr/core/adapter';
import { NodeExchange, type NodeRequest, type NodeResponse, wholeTarget } from './node-exchange.ts';
import { watchContent } from './unread-content.ts';

type WriteHead = (status: number, ...rest: unknown[]) => unknown;
type HeaderRecord = Readonly<Record<string, unknown>> | readonly unknown[];

/** For each watched response, the handlers to notify, each with its targets. */
const watched = new WeakMap<object, Map<SsrHandler, Set<string>>>();

/**
 * Reports the answer to an unsafe request to a handler before its head is sent, also when a route or
 * middleware answers: the answer may invalidate the stored pages of the request's target, and of the
 * target as middleware has rewritten it. Call it when a request arrives; GET and HEAD are ignored.
 */
export function watchAnswer(
  handler: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
): void {
  watchContent(request, response);
  watchUnsafe(handler, request, response);
}

/** As {@link watchAnswer}, behind a request listener, which has watched the content of the request. */
export function watchUnsafe(
  handler: SsrHandler,
  request: NodeRequest,
  response: NodeResponse,
): void {
  const { method = 'GET' } = request;
  if (method === 'GET' || method === 'HEAD' || !isUnsafe(method) || response.headersSent) return;
  let handlers = watched.get(response);
  if (handlers === undefined) {
    watched.set(response, (handlers = new Map()));
    const told = handlers;
    const tell = (status: number, header: (name: string) => string | undefined): void => {
      for (const [each, targets] of told) {
        for (const target of targets.add(targetOf(request))) {
          each.answered(new NodeExchange(request, response, target), { status, header });
        }
      }
    };
    const fail = (cause: unknown): void => {
      const message = 'A request or its response could not be read to invalidate cached pages';
      handler.report(new SsrError('NG_SSR_HANDLER_FAILED', message, { cause }));
    };
    onHead(response, tell, fail);
  }
  let targets = handlers.get(handler);
  if (targets === undefined) handlers.set(handler, (targets = new Set()));
  const { originalUrl = request.url } = request as Mounted;
  targets.add(originalUrl ?? '/').add(targetOf(request));
}

interface Mounted {
  readonly url?: string | undefined;
  readonly originalUrl?: string | undefined;
  readonly baseUrl?: string | undefined;
}

/** The full target after rewrites; a mount that Express has removed from `url` is in `baseUrl`. */
function targetOf(request: NodeRequest): string {
  const { url = '/', originalUrl, baseUrl = '' } = request as Mounted;
  return wholeTarget(baseUrl + url, originalUrl, true);
}

/**
 * Calls the listener once, with a response's head.
 *
 * @param fail - Gets what is thrown on the way: it must reach neither the route that answers nor the event loop.
 */
function onHead(
  response: NodeResponse,
  listener: (status: number, header: (name: string) => string | undefined) => void,
  fail: (cause: unknown) => void,
): void {
  let isNotified = false;
  const notify = (status: number | undefined, headers: HeaderRecord = []): void => {
    if (isNotified) return;
    isNotified = true;
    const header = (name: string): string | undefined =>
      headerIn(headers, name) ?? toText(response.getHeader(name));
    try {
      listener(status ?? response.statusCode, header);
    } catch (cause) {
      fail(cause);
    }
  };
  const writeHead = response.writeHead as WriteHead;
  const watching: WriteHead = function (this: unknown, status, ...rest) {
    const headers = rest.find((part) => typeof part === 'object' && part !== null);
    notify(status, headers as HeaderRecord | undefined);
    return Reflect.apply(writeHead, this, [status, ...rest]);
  };
  Object.assign(response, { writeHead: watching });
  // Under HTTP/2 an answer without content is sent without writeHead.
  response.once('finish', () => notify(undefined));
}

/** A header among the arguments of `writeHead`: an object, a flat list, or a list of pairs. */
function headerIn(headers: HeaderRecord, name: string): string | undefined {
  if (!Array.isArray(headers)) {
    const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
    return toText(value);
  }
  const list: readonly unknown[] = headers.flat();
  for (let i = 0; i + 1 < list.length; i += 2) {
    if (String(list[i]).toLowerCase() === name) return toText(list[i + 1]);
  }
  return undefined;
}

function toText(value: unknown): string | undefined {
  return value === undefined ? undefined : String(value);
}
