import type { Exchange } from '../../exchange.ts';

/** Request headers that select a part or a form of a page, or ask whether it has changed. */
const OF_ANSWER: ReadonlySet<string> = new Set([
  ...['accept-encoding', 'available-dictionary', 'range', 'if-range'],
  ...['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since'],
]);

/** The same request for the whole page, unconditional and unencoded. */
export class PageAlone implements Exchange {
  readonly client: Exchange;
  readonly method: string;
  readonly target: string;
  readonly targetBelowMount: string | undefined;
  readonly status: number;
  readonly earlyHints?: (links: readonly string[]) => void;

  /** @param target - Of the page, if the client asks for another resource. */
  constructor(client: Exchange, target: string = client.target) {
    this.client = client;
    this.method = client.method;
    this.target = target;
    this.targetBelowMount = target === client.target ? client.targetBelowMount : undefined;
    this.status = client.status;
    if (client.earlyHints !== undefined) this.earlyHints = (links) => client.earlyHints!(links);
  }

  get encrypted(): boolean {
    return this.client.encrypted;
  }

  get localPort(): number | undefined {
    return this.client.localPort;
  }

  header(name: string): string | undefined {
    return OF_ANSWER.has(name) ? undefined : this.client.header(name);
  }

  headers(): Iterable<readonly [name: string, value: string]> {
    return this.client.headers();
  }

  content(maxBytes: number): Promise<Uint8Array | undefined> {
    return this.client.content(maxBytes);
  }

  onDisconnect(listener: () => void): () => void {
    return this.client.onDisconnect?.(listener) ?? (() => undefined);
  }

  waitUntil(work: Promise<unknown>): void {
    this.client.waitUntil?.(work);
  }
}
