import type { ServerResponse } from 'node:http';
import type { Answer, StreamedAnswer, StreamedContent } from '@ng-ssr/core/adapter';
import { isClosed, type NodeRequest, type NodeResponse } from './node-exchange.ts';
import { closeUnfinished, keepPart, setAnswer, setHeaders } from './write-answer.ts';

/**
 * Sends an answer that may come in pieces. When the client disconnects, its content is closed; when
 * a file cannot be read to its end, the connection is closed.
 */
export function sendStreamed(response: NodeResponse, answer: Answer | StreamedAnswer): void {
  if (!('content' in answer)) return setAnswer(response, answer);
  const { content } = answer;
  const { req } = response;
  try {
    // The response may have ended meanwhile.
    if (response.headersSent || response.writableEnded || isClosed(response)) {
      return void content.close();
    }
    keepPart(req, answer);
    writeStart(response, answer);
  } catch (cause) {
    // Nobody reads it: what it waits for ends.
    void content.close();
    throw cause;
  }
  if (content.pieces === undefined) void write(req, response as ServerResponse, content);
  else writeAll(response as ServerResponse, content.pieces);
}

/** Here the caller catches what middleware throws from writeHead; later nothing would. */
function writeStart(response: NodeResponse, { status, headers, isPersonal }: StreamedAnswer): void {
  setHeaders(response, headers, isPersonal);
  (response as ServerResponse).writeHead(status);
}

/** Node sends them with the head, in one system call. Small pieces in one buffer take less than a write each. */
function writeAll(response: ServerResponse, [first, ...rest]: readonly Uint8Array[]): void {
  response.write(first);
  response.end(Buffer.concat(rest));
}

/** Never rejects: the core reports file errors, and a client that disconnects is no error. */
async function write(
  request: NodeRequest,
  response: ServerResponse,
  content: StreamedContent,
): Promise<void> {
  let wake = (): void => undefined;
  let isClosed = false;
  const close = (): void => {
    isClosed = true;
    content.close().catch(() => undefined);
    wake();
  };
  try {
    response.once('close', close);
    for (;;) {
      const piece = await content.read();
      if (isClosed) return;
      if (piece === undefined) return void response.end();
      if (response.write(piece)) continue;
      await new Promise<void>((resolve) => {
        wake = resolve;
        response.once('drain', resolve);
      });
    }
  } catch {
    close();
    // The client waits for bytes that do not come.
    closeUnfinished(request, response);
  }
}
