import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Answer, FileAnswer, FileContent } from '@ng-ssr/core/adapter';
import type { NodeRequest, NodeResponse } from './node-exchange.ts';
import { setHeaders, writeAnswer } from './write-answer.ts';

/** A file's content as a Node stream; destroying it closes the descriptor. */
export class FileStream extends Readable {
  readonly #file: FileContent;

  constructor(file: FileContent) {
    super();
    this.#file = file;
  }

  override _read(): void {
    this.#file.read().then(
      (chunk) => this.push(chunk ?? null),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#file.close().then(
      () => callback(error),
      (cause: Error) => callback(error ?? cause),
    );
  }
}

/**
 * Sends the result of `SsrHandler.largeFile`. When the client disconnects, the file is closed; when
 * the file cannot be read to its end, the connection is closed.
 */
export function sendFile(response: NodeResponse, answer: Answer | FileAnswer): void {
  if (!('file' in answer)) return writeAnswer(response, answer);
  // The response may have ended during the look-up of the file, which is not open yet.
  if (response.headersSent || response.writableEnded || response.destroyed) return;
  setHeaders(response, answer.headers);
  keepPart(response.req, answer);
  // Here the caller catches what middleware throws from writeHead; inside the stream nothing would.
  (response as ServerResponse).writeHead(answer.status);
  // The core reports file errors, and a client that disconnects is no error.
  pipeline(new FileStream(answer.file), response, () => {});
}

/** A part (206) counts unchanged bytes: keeps earlier compression middleware from encoding it. */
export function keepPart(request: NodeRequest, { status }: FileAnswer): void {
  if (status === 206) request.headers['accept-encoding'] = 'identity';
}
