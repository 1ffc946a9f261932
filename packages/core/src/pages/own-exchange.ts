import type { Exchange } from '../exchange.ts';

/** The server's own request for a page: a GET for HTML, with these headers in lower case. */
export function ownExchange(
  origin: string,
  target: string,
  headers: Iterable<readonly [name: string, value: string]> = [],
): Exchange {
  const { host, port, protocol } = new URL(origin);
  const values = new Map([['host', host], ['accept', 'text/html'], ...headers]);
  return {
    method: 'GET',
    target,
    encrypted: protocol === 'https:',
    localPort: Number(port),
    status: 200,
    header: (name) => values.get(name),
    headers: () => values,
    content: () => Promise.resolve(new Uint8Array()),
  };
}
