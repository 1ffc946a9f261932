/** The host of a request, parsed once for the key, the host check and the engine's URL. */
export interface Authority {
  /** Lower case, without port; IPv6 in brackets, as `URL.hostname` gives it. */
  readonly hostname: string;
  /** The port in decimal, without leading zeros, or '' when none was given: `name:` names none, either. */
  readonly port: string;
}

/**
 * Parses a Host header value (RFC 9110 section 7.2: `uri-host [":" port]`), more strictly than the URL parser:
 * a value that `URL` would read as anything but a host and a port is refused, because a host that two parsers
 * read differently gives one visitor another's page. So is a name with an empty label (RFC 1035 section 2.3.1): no
 * DNS name has one, but for the root's at the end.
 *
 * @returns undefined when the value is not exactly one host with at most one port.
 */
export function parseAuthority(value: string): Authority | undefined {
  if (value.length === 0 || value.length > 261) return undefined;
  const end = value.charCodeAt(0) === 0x5b /* [ */ ? value.indexOf(']') + 1 : hostEnd(value);
  if (end === 0) return undefined;

  const received = value.slice(0, end);
  const isIpLiteral = received.charCodeAt(0) === 0x5b;
  if (isIpLiteral ? !IP_LITERAL.test(received) : !isRegName(received)) return undefined;
  let port = '';
  if (end < value.length) {
    if (value.charCodeAt(end) !== 0x3a /* : */) return undefined;
    const digits = value.slice(end + 1);
    if (!isPort(digits)) return undefined;
    port = digits === '' ? '' : String(Number(digits));
  }

  const host = received.toLowerCase();
  const url = `http://${host}`;
  if (!URL.canParse(url)) return undefined;
  // `0x7f.1`, `1` and `2130706433` are 127.0.0.1 to the URL parser: they must not pass as names.
  const { hostname } = new URL(url);
  if (!isIpLiteral && hostname !== host) return undefined;
  return { hostname, port };
}

/** The same host, as DNS names it: `shop.example.` has the pages of `shop.example`. */
export function withoutRootDot(authority: Authority): Authority {
  const { hostname } = authority;
  if (!hostname.endsWith('.') || hostname.length === 1) return authority;
  return { ...authority, hostname: hostname.slice(0, -1) };
}

/** Only the characters of an IPv6 address: the URL parser also accepts `[a@[::1]` and an address with a tab. */
const IP_LITERAL = /^\[[\dA-Fa-f:.]+\]$/;

function hostEnd(value: string): number {
  const colon = value.indexOf(':');
  return colon === -1 ? value.length : colon;
}

/** `*DIGIT` (RFC 3986 section 3.2.3), so none at all is valid, too. */
function isPort(port: string): boolean {
  if (port.length > 5) return false;
  for (let i = 0; i < port.length; i++) {
    const code = port.charCodeAt(i);
    if (code < 0x30 || code > 0x39) return false;
  }
  return Number(port) <= 65535;
}

/** Labels of letters, digits, `-` and `_`, between dots: DNS names and IPv4 addresses in use. */
function isRegName(host: string): boolean {
  let isLabel = false;
  for (let i = 0; i < host.length; i++) {
    const code = host.charCodeAt(i);
    if (code === 0x2e /* . */) {
      if (!isLabel) return false;
      isLabel = false;
      continue;
    }
    isLabel = true;
    const allowed =
      (code >= 0x61 && code <= 0x7a) ||
      (code >= 0x41 && code <= 0x5a) ||
      (code >= 0x30 && code <= 0x39) ||
      code === 0x2d ||
      code === 0x5f;
    if (!allowed) return false;
  }
  return true;
}
