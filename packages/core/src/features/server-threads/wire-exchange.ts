import type { Exchange } from '../../exchange.ts';

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
  /** The same of `Exchange.client`. */
  readonly valuesOfClient: ReadonlyMap<string, string> | undefined;
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
  const { client, method, target, targetBelowMount, encrypted, localPort, status } = exchange;
  const headers = [...exchange.headers()];
  const names = new Set(['host', ...headers.map(([name]) => name.toLowerCase())]);
  return {
    ...{ method, target, targetBelowMount, encrypted, localPort, status },
    ...{ headers, takesHints, content },
    values: valuesOf(exchange, names),
    valuesOfClient: client && valuesOf(client, names),
  };
}

function valuesOf(exchange: Exchange, names: Iterable<string>): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  for (const name of names) {
    const value = exchange.header(name);
    if (value !== undefined) values.set(name, value);
  }
  return values;
}

/** The request that {@link toWireExchange} was given. */
export function fromWireExchange(plain: WireExchange, events: ExchangeEvents): Exchange {
  const { method, target, targetBelowMount, encrypted, localPort, status } = plain;
  const { headers, values, valuesOfClient, takesHints, content } = plain;
  const exchange: Exchange = {
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
  if (valuesOfClient === undefined) return exchange;
  return { ...exchange, client: { ...exchange, header: (name) => valuesOfClient.get(name) } };
}
