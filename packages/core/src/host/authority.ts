/** The host of a request, parsed once: what the key, the check and the engine's URL are made of. */
export interface Authority {
  /** Lower case, without port; IPv6 in brackets, as `URL.hostname` gives it. */
  readonly hostname: string;
  /** The port in decimal, or '' when none was given. */
  readonly port: string;
}

/**
 * Parses a Host field value (RFC 9110 section 7.2: `uri-host [":" port]`), stricter than the URL
 * parser: whatever URL would read as something else than a host and a port is refused, because a
 * host that two readers understand differently gives one visitor another's page.
 *
 * @returns undefined when the value is not exactly one host with at most one port.
 */
export function parseAuthority(value: string): Authority | undefined {
  if (value.length === 0 || value.length > 261) return undefined;
  const end = value.charCodeAt(0) === 0x5b /* [ */ ? value.indexOf(']') + 1 : hostEnd(value);
  if (end === 0) return undefined;

  const host = value.slice(0, end).toLowerCase();
  let port = '';
  if (end < value.length) {
    if (value.charCodeAt(end) !== 0x3a /* : */) return undefined;
    port = value.slice(end + 1);
    if (!isPort(port)) return undefined;
  }

  const isIpLiteral = host.charCodeAt(0) === 0x5b;
  if (!isIpLiteral && !isRegName(host)) return undefined;
  const url = `http://${host}`;
  if (!URL.canParse(url)) return undefined;
  // `0x7f.1`, `1` and `2130706433` are 127.0.0.1 to the URL parser: they must not pass as names.
  const { hostname } = new URL(url);
  if (!isIpLiteral && hostname !== host) return undefined;
  return { hostname, port };
}

function hostEnd(value: string): number {
  const colon = value.indexOf(':');
  return colon === -1 ? value.length : colon;
}

function isPort(port: string): boolean {
  if (port.length === 0 || port.length > 5) return false;
  for (let i = 0; i < port.length; i++) {
    const code = port.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return Number(port) <= 65535;
}

/** Letters, digits, `-`, `.` and `_`: what DNS names and IPv4 addresses in use are made of. */
function isRegName(host: string): boolean {
  for (let i = 0; i < host.length; i++) {
    const code = host.charCodeAt(i);
    const allowed =
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2d ||
      code === 0x2e ||
      code === 0x5f;
    if (!allowed) return false;
  }
  return true;
}
