import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { isPromise, type SsrHandler } from '@ng-ssr/core/adapter';
import { answerFailure, sendAnswer, writeAnswer } from './write-answer.ts';
import { SocketHits } from './socket-hits/socket-hits.ts';
import { keepParsed, type NodeRequest, type NodeResponse, toExchange } from './node-exchange.ts';
import type { NodeListener } from './node-listener.ts';
import type { Hits } from './options.ts';
import { watchContent } from './unread-content.ts';
import { watchUnsafe } from './watch-answer.ts';

/** Where requests come in. */
export interface RequestListener {
  /** The request listener of a server. */
  readonly listener: (
    request: NodeRequest,
    response: NodeResponse,
    next?: (error?: unknown) => void,
  ) => void;
  /**
   * Lets hits on HTTP/1 connections of a server with this listener be answered before node:http has parsed them, where they come before all middleware.
   */
  openSocketHits(server: Server): void;
}

/**
 * The request listener of a server: first probes, which must not depend on middleware such as a session
 * store; hits, with `before-middleware`; then the framework, whose answers to unsafe requests invalidate
 * stored pages. Errors are reported and answered: outside the listener they would end the process.
 *
 * @param hits - A function is called for each request.
 * @param framework - Takes requests that are not answered yet, and handles its asynchronous errors.
 */
export function requestListener(
  handler: SsrHandler,
  serveHits: Hits | (() => Hits),
  framework: NodeListener,
): RequestListener {
  const areHitsFirst = (): boolean =>
    (typeof serveHits === 'function' ? serveHits() : serveHits) === 'before-middleware';
  const onSocket = new SocketHits(handler, areHitsFirst);
  const listener: RequestListener['listener'] = (request, response, next) => {
    try {
      onSocket.note(request, response);
      watchContent(request, response);
      const probe = handler.probe(request.method ?? 'GET', request.url ?? '/');
      if (probe !== undefined) {
        if (!isPromise(probe)) return writeAnswer(response, probe);
        return void probe.then((answer) => sendAnswer(handler, request, response, answer));
      }
      if (areHitsFirst()) {
        const exchange = toExchange(handler, request, response);
        const hit = handler.answer(exchange);
        if (hit !== undefined) {
          writeAnswer(response, hit);
          return onSocket.take();
        }
        keepParsed(exchange);
      }
      watchUnsafe(handler, request, response);
      framework(request as IncomingMessage, response as ServerResponse, next);
    } catch (cause) {
      answerFailure(handler, request, response, cause);
    }
  };
  const openSocketHits = (server: Server): void => {
    // Others may have put a listener around this one.
    if (server.listeners('request').includes(listener)) onSocket.open(server);
  };
  return { listener, openSocketHits };
}
