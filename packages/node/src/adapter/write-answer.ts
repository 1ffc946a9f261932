import { ServerResponse } from 'node:http';
import { Http2ServerResponse } from 'node:http2';
import { addVary, type Answer } from '@ng-ssr/core';
import type { NodeResponse } from './node-exchange.ts';

/**
 * Step 8: writes an answer with one `writeHead` of its prebuilt list, or beside the fields that
 * earlier middleware has set, where there are any.
 */
export function writeAnswer(response: NodeResponse, answer: Answer): void {
  if (response.headersSent || response.writableEnded) return;
  const { writeHead, req } = response;
  // One of a middleware's may not know flat lists.
  const isNodes =
    writeHead === ServerResponse.prototype.writeHead ||
    writeHead === Http2ServerResponse.prototype.writeHead;
  // Serverless platforms, whose requests have no raw fields, read the response's fields afterwards.
  const isServed = Boolean((req as Partial<typeof req> | undefined)?.rawHeaders?.length);
  if (isNodes && isServed && response.getHeaderNames().length === 0) {
    // Both kinds of response take a flat list; only one of them says so in its types.
    (response as ServerResponse).writeHead(answer.status, answer.headers as string[]);
  } else {
    response.statusCode = answer.status;
    setFields(response, answer.headers);
  }
  if (answer.body === null) response.end();
  else response.end(answer.body);
}

/**
 * Sets an answer's fields on a response that may have some already: Set-Cookie lines are added,
 * Vary becomes the union, and a Cache-Control that is there stays, since whoever set it knows of
 * something the page does not.
 */
export function setFields(response: NodeResponse, fields: readonly string[]): void {
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

/** The union of the Vary field that is there and the names that are added. */
export function mergeVary(
  present: number | string | readonly string[] | undefined,
  own: string,
): string {
  if (present === undefined) return own;
  let merged = typeof present === 'object' ? present.join(', ') : String(present);
  for (const name of own.split(',')) merged = addVary(merged, name.trim());
  return merged;
}
