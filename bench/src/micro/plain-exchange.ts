import type { Exchange } from '@ng-ssr/core/adapter';

/** A request made of plain data, for measuring the handler without any server. */
export function createExchange(
  target: string,
  headers: Readonly<Record<string, string>> = {},
): Exchange {
  const all: Record<string, string | undefined> = { host: 'localhost', ...headers };
  return {
    method: 'GET',
    target,
    encrypted: false,
    status: 200,
    header: (name) => all[name],
    headers: () => Object.entries(all).map(([name, value]) => [name, value ?? '']),
    content: () => Promise.resolve(new Uint8Array()),
  };
}
