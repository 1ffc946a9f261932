import { platform } from '#platform';
import { FilePart, type FileState, isSameState } from './file-part.ts';

/**
 * The whole content of a file for all requests that need it at the same time: they share one copy, which is kept only
 * as long as an answer has it.
 */
export class SharedRead {
  readonly #path: string;
  #state: FileState | undefined;
  #reading: Promise<ArrayBufferLike> | undefined;
  #latest: WeakRef<ArrayBufferLike> | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /**
   * @param state - The state from which the answer's headers were made.
   * @param onError - Called with the error when it rejects.
   * @throws Error if the file cannot be read, or has another state.
   */
  async part(
    { state, first, lengthBytes }: Pick<FilePart, 'state' | 'first' | 'lengthBytes'>,
    onError: (cause: unknown) => void,
  ): Promise<Uint8Array> {
    const content = await this.#content(state, onError);
    return platform.viewOf(new Uint8Array(content, first, lengthBytes));
  }

  async #content(state: FileState, onError: (cause: unknown) => void): Promise<ArrayBufferLike> {
    if (this.#state !== undefined && isSameState(this.#state, state)) {
      const known = this.#latest?.deref() ?? this.#reading;
      if (known !== undefined) return known;
    }
    this.#state = state;
    this.#latest = undefined;
    const reading = readWhole(this.#path, state, onError);
    this.#reading = reading;
    try {
      const content = await reading;
      if (this.#reading === reading) this.#latest = new WeakRef(content);
      return content;
    } finally {
      if (this.#reading === reading) this.#reading = undefined;
    }
  }
}

async function readWhole(
  path: string,
  state: FileState,
  onError: (cause: unknown) => void,
): Promise<ArrayBufferLike> {
  const lengthBytes = state.sizeBytes;
  const file = new FilePart({ path, first: 0, lengthBytes, state, onError });
  const whole = new Uint8Array(lengthBytes);
  let at = 0;
  for (let chunk = await file.read(); chunk !== undefined; chunk = await file.read()) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole.buffer;
}
