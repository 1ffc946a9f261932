import type { Exchange } from '@ng-ssr/core/adapter';

/** A request made of plain data. */
export function plainExchange(
  target: string,
  headers: Readonly<Record<string, string>> = {},
  method = 'GET',
): Exchange {
  const all: Record<string, string | undefined> = { host: 'localhost', ...headers };
  return {
    method,
    target,
    encrypted: false,
    status: 200,
    header: (name) => (Object.hasOwn(all, name) ? all[name] : undefined),
    headers: () => Object.entries(all).map(([name, value]) => [name, value ?? '']),
    content: () => Promise.resolve(new Uint8Array()),
  };
}
