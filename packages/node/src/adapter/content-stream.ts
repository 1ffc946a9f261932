import { Readable, type Writable } from 'node:stream';
import type { StreamedContent } from '@ng-ssr/core/adapter';
import { isClosed } from './node-exchange.ts';

/** Content that comes in pieces as a Node stream; destroying it closes the content. */
export class ContentStream extends Readable {
  readonly #content: StreamedContent;

  constructor(content: StreamedContent) {
    super();
    this.#content = content;
  }

  override _read(): void {
    this.#content.read().then(
      (chunk) => this.push(chunk ?? null),
      (error: Error) => this.destroy(error),
    );
  }

  override _destroy(error: Error | null, callback: (error?: Error | null) => void): void {
    this.#content.close().then(
      () => callback(error),
      (cause: Error) => callback(error ?? cause),
    );
  }
}

/** Closes content with its response: middleware that throws may leave it unread, and what it waits for would go on. */
export function closeWith(response: Pick<Writable, 'once'>, content: StreamedContent): void {
  const close = (): void => void content.close().catch(() => undefined);
  if (isClosed(response)) close();
  else response.once('close', close);
}
