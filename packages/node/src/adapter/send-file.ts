import type { ServerResponse } from 'node:http';
import { pipeline, Readable } from 'node:stream';
import type { Answer, FileAnswer, FileContent } from '@ng-ssr/core';
import type { NodeRequest, NodeResponse } from './node-exchange.ts';
import { setFields, writeAnswer } from './write-answer.ts';

/** A file's content as a stream of Node's; destroying it closes the descriptor. */
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
 * Sends what `SsrHandler.largeFile` has resolved to. When the client leaves the file is closed; when
 * the file cannot be read to its end the connection is.
 */
export function sendFile(response: NodeResponse, answer: Answer | FileAnswer): void {
  if (!('file' in answer)) return writeAnswer(response, answer);
  // A client that has left while the file was looked at has no use for it; nothing is open yet.
  if (response.headersSent || response.writableEnded || response.destroyed) return;
  setFields(response, answer.headers);
  keepPart(response.req, answer);
  // Now: what middleware throws while the head is written would be nobody's within the stream.
  (response as ServerResponse).writeHead(answer.status);
  // The core reports what is wrong with a file, and a client that leaves is no error.
  pipeline(new FileStream(answer.file), response, () => {});
}

/** A part is of the bytes as they are: compression in front of us must not code it. */
export function keepPart(request: NodeRequest, { status }: FileAnswer): void {
  if (status === 206) request.headers['accept-encoding'] = 'identity';
}
