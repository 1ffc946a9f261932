import { platform } from '#platform';
import type { StreamedContent } from '../../exchange.ts';
import type { Fills } from './fills.ts';
import { joined } from './open-encoding.ts';

/**
 * Tells `slot()` that the slots of a request have come with its page, however few they are: it then asks the endpoint for
 * none.
 */
const ALL = platform.toBytes('<script type="application/json" data-ng-ssr-slots></script>');

/** The elements of slots as they arrive, apart from their page. */
export class SlotElements implements StreamedContent {
  readonly #fills: Fills;
  #isNew = true;

  constructor(fills: Fills) {
    this.#fills = fills;
  }

  async read(): Promise<Uint8Array | undefined> {
    const parts: Uint8Array[] = [];
    if (this.#isNew) parts.push(ALL);
    else await this.#fills.next();
    this.#isNew = false;
    parts.push(...this.#fills.take());
    if (parts.length > 0) return joined(parts);
    // The HTML of an island has failed, and others run.
    return this.#fills.areDone ? undefined : this.read();
  }

  async close(): Promise<void> {
    this.#isNew = false;
    this.#fills.close();
  }
}
