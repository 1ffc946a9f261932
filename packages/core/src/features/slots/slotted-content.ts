import type { StreamedContent } from '../../exchange.ts';
import type { Fills } from './fills.ts';
import { joined } from './open-encoding.ts';
import type { OpenPage } from './open-pages.ts';

/** A page, then its slots as they arrive, then the end of the page. */
export function slottedContent(page: OpenPage, fills: Fills): StreamedContent {
  return fills.areDone ? new WholeContent(filled(page, fills)) : new SlottedContent(page, fills);
}

function filled({ start, script, end }: OpenPage, fills: Fills): readonly Uint8Array[] {
  const tail = start.tail();
  const content = script === undefined ? [...fills.take(), end] : [...fills.take(), script, end];
  return [start.bytes, ...tail.add(...content), ...tail.end()];
}

/** A page that is there. */
export class WholeContent implements StreamedContent {
  readonly pieces: readonly Uint8Array[];
  readonly lengthBytes: number;
  #left: readonly Uint8Array[];

  constructor(pieces: readonly Uint8Array[]) {
    this.pieces = this.#left = pieces;
    this.lengthBytes = pieces.reduce((bytes, { byteLength }) => bytes + byteLength, 0);
  }

  async read(): Promise<Uint8Array | undefined> {
    const left = this.#left;
    this.#left = [];
    return left.length === 0 ? undefined : joined(left);
  }

  async close(): Promise<void> {
    this.#left = [];
  }
}

class SlottedContent implements StreamedContent {
  readonly #page: OpenPage;
  readonly #fills: Fills;
  readonly #tail: ReturnType<OpenPage['start']['tail']>;
  #state: 'new' | 'begun' | 'ended' = 'new';
  #script: Uint8Array | undefined;

  constructor(page: OpenPage, fills: Fills) {
    this.#page = page;
    this.#fills = fills;
    this.#tail = page.start.tail();
    this.#script = page.script;
  }

  async read(): Promise<Uint8Array | undefined> {
    const isFirst = this.#state === 'new';
    if (isFirst) this.#state = 'begun';
    else if (this.#state === 'begun') await this.#fills.next();
    if (this.#isEnded()) return undefined;
    const content = [...this.#fills.take()];
    if (this.#script !== undefined && this.#fills.areIslandsDone) {
      content.push(this.#script);
      this.#script = undefined;
    }
    if (this.#fills.areDone) {
      this.#state = 'ended';
      content.push(this.#page.end);
    }
    const parts = [...this.#tail.add(...content)];
    if (this.#isEnded()) parts.push(...this.#tail.end());
    if (isFirst) parts.unshift(this.#page.start.bytes);
    // A fill has failed, and others run.
    return parts.length === 0 ? this.read() : joined(parts);
  }

  async close(): Promise<void> {
    this.#state = 'ended';
    this.#fills.close();
  }

  #isEnded(): boolean {
    return this.#state === 'ended';
  }
}
