import type { Exchange } from '../exchange.ts';

/** A request as plain data. */
export interface WireExchange {
  readonly method: string;
  readonly target: string;
  readonly targetBelowMount: string | undefined;
  readonly encrypted: boolean;
  readonly localPort: number | undefined;
  readonly status: number;
  /** Every header as received. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** The value of each header by its name in lower case, as `Exchange.header` reads it. */
  readonly values: ReadonlyMap<string, string>;
  /** Whether the client takes early hints. */
  readonly takesHints: boolean;
  /** Undefined where it was not read. */
  readonly content: Uint8Array | undefined;
}

/** What becomes of a request in the thread that has its connection. */
export interface ExchangeEvents {
  /** Calls back when the client has disconnected. */
  onLeave(listener: () => void): () => void;
  hint(links: readonly string[]): void;
}

export function toWireExchange(
  exchange: Exchange,
  takesHints: boolean,
  content: Uint8Array | undefined,
): WireExchange {
  const { method, target, targetBelowMount, encrypted, localPort, status } = exchange;
  const headers = [...exchange.headers()];
  const values = new Map<string, string>();
  for (const name of ['host', ...headers.map(([name]) => name.toLowerCase())]) {
    const value = values.has(name) ? undefined : exchange.header(name);
    if (value !== undefined) values.set(name, value);
  }
  return {
    ...{ method, target, targetBelowMount, encrypted, localPort, status },
    ...{ headers, values, takesHints, content },
  };
}

/** The request that {@link toWireExchange} was given. */
export function fromWireExchange(plain: WireExchange, events: ExchangeEvents): Exchange {
  const { method, target, targetBelowMount, encrypted, localPort, status } = plain;
  const { headers, values, takesHints, content } = plain;
  return {
    method,
    target,
    targetBelowMount,
    encrypted,
    localPort,
    status,
    header: (name) => values.get(name),
    headers: () => headers,
    content: async (maxBytes) =>
      content !== undefined && content.byteLength <= maxBytes ? content : undefined,
    onDisconnect: (listener) => events.onLeave(listener),
    ...(takesHints && { earlyHints: (links: readonly string[]) => events.hint(links) }),
  };
}
