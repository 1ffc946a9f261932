/** Where a server of a cluster, or a Sentinel, listens. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

const ADDRESS = /^(?:\[([\da-f:.]+)\]|([\w.-]+)):(\d{1,5})$/i;

/** @returns undefined for a text that is not `host:port`. */
export function parseAddress(text: string): Address | undefined {
  const [, ipv6, name, digits] = ADDRESS.exec(text) ?? [];
  const host = ipv6 ?? name;
  const port = Number(digits);
  return host !== undefined && port > 0 && port < 65_536 ? { host, port } : undefined;
}

/** As options and messages have it. */
export function showAddress({ host, port }: Address): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`;
}

/** An address in a reply of Redis: IPv6 without brackets; without a host, that of the server which replied. */
export function addressInReply(text: string, host: string): Address {
  const end = text.lastIndexOf(':');
  return { host: text.slice(0, end) || host, port: Number(text.slice(end + 1)) };
}
