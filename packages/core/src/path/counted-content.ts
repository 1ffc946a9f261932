import type { StreamedContent } from '../exchange.ts';

/** Content whose length is known when it has ended, or the client has left. */
export class CountedContent implements StreamedContent {
  readonly #content: StreamedContent;
  #onEnd: ((bytes: number) => void) | undefined;
  #bytes = 0;

  /** @param onEnd - Gets the bytes that were read, once. Must not throw. */
  constructor(content: StreamedContent, onEnd: (bytes: number) => void) {
    this.#content = content;
    this.#onEnd = onEnd;
  }

  async read(): Promise<Uint8Array | undefined> {
    try {
      const piece = await this.#content.read();
      if (piece === undefined) this.#end();
      else this.#bytes += piece.byteLength;
      return piece;
    } catch (error) {
      this.#end();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#end();
    await this.#content.close();
  }

  #end(): void {
    const onEnd = this.#onEnd;
    this.#onEnd = undefined;
    onEnd?.(this.#bytes);
  }
}
