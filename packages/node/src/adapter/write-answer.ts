import type { ServerResponse } from 'node:http';
import { addVary, type Answer, fieldsBeside } from '@ng-ssr/core/adapter';
import { isOfHttp2 } from './http2-requests.ts';
import type { NodeResponse } from './node-exchange.ts';
import { http } from './node-http.ts';

/**
 * Step 8: writes an answer with one `writeHead` of its prebuilt list or, where earlier middleware has
 * set fields, beside these.
 */
export function writeAnswer(response: NodeResponse, answer: Answer): void {
  if (response.headersSent || response.writableEnded) return;
  const { req } = response;
  // Serverless platforms read the response's fields afterwards; their requests have no raw fields.
  const isServed = Boolean((req as Partial<typeof req> | undefined)?.rawHeaders?.length);
  if (isServed && hasNodesWriteHead(response) && response.getHeaderNames().length === 0) {
    // Both kinds of response take a flat list; only the types of one allow it.
    (response as ServerResponse).writeHead(answer.status, answer.headers as string[]);
  } else {
    response.statusCode = answer.status;
    setFields(response, answer.headers);
  }
  if (answer.body === null) response.end();
  else response.end(answer.body);
}

/** A writeHead that middleware has replaced may not take flat lists. */
function hasNodesWriteHead({ writeHead, req }: NodeResponse): boolean {
  if (writeHead === http.ServerResponse.prototype.writeHead) return true;
  if (!isOfHttp2(req)) return false;
  const { Http2ServerResponse } = process.getBuiltinModule('node:http2');
  return writeHead === Http2ServerResponse.prototype.writeHead;
}

/**
 * Sets an answer's fields on a response that may have some already: Set-Cookie lines are added,
 * Vary becomes the union, and an existing Cache-Control stays, since the middleware that set it may
 * know more than the page.
 */
export function setFields(response: NodeResponse, answered: readonly string[]): void {
  const earlier = response.getHeader('cache-control');
  const setsCookie = response.hasHeader('set-cookie');
  const fields = fieldsBeside(answered, earlier?.toString(), setsCookie);
  for (let i = 0; i < fields.length; i += 2) {
    const name = fields[i]!;
    const value = fields[i + 1]!;
    if (name.length === 10 && name.toLowerCase() === 'set-cookie') {
      response.appendHeader(name, value);
    } else if (name.length === 4 && name.toLowerCase() === 'vary') {
      response.setHeader(name, mergeVary(response.getHeader(name), value));
    } else if (
      name.length !== 13 ||
      name.toLowerCase() !== 'cache-control' ||
      !response.hasHeader(name)
    ) {
      response.setHeader(name, value);
    }
  }
}

/** The union of an existing Vary field and an answer's own. */
export function mergeVary(
  present: number | string | readonly string[] | undefined,
  own: string,
): string {
  if (present === undefined) return own;
  let merged = typeof present === 'object' ? present.join(', ') : String(present);
  for (const name of own.split(',')) merged = addVary(merged, name.trim());
  return merged;
}
