import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * States in Server-Timing how an answer was found and how long that took: the Cache-Status, and the
 * milliseconds from the first middleware to the writing of its head. Browsers show it to the page itself.
 */
export function answerTiming(
  _request: IncomingMessage,
  response: ServerResponse,
  next: () => void,
): void {
  const began = performance.now();
  const writeHead = response.writeHead;
  response.writeHead = function (this: ServerResponse, ...head: unknown[]): ServerResponse {
    const durationMs = performance.now() - began;
    const status = String(response.getHeader('Cache-Status') ?? '');
    const description = status.replace(/["\\]/g, '\\$&');
    response.setHeader(
      'Server-Timing',
      `answer;desc="${description}";dur=${durationMs.toFixed(4)}`,
    );
    return Reflect.apply(writeHead, this, head) as ServerResponse;
  } as ServerResponse['writeHead'];
  next();
}
