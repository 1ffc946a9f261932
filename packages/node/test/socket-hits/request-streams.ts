import type { Random } from '../../../conformance/src/fuzz/random.ts';

const TARGETS = [
  ...['/', '/', '/', '/robots.txt', '/missing', '/page', '/?a=1', '/%2e', '//', '/a#b', '/\u00e9'],
  ...['*', ''],
];
const METHODS = [
  ...['GET', 'GET', 'GET', 'GET', 'GET', 'GET', 'HEAD', 'HEAD', 'POST', 'get', 'OPTIONS', 'PUT'],
  ...[' GET', 'GETT'],
];
const VERSIONS = [
  ...Array<string>(20).fill('HTTP/1.1'),
  'HTTP/1.0',
  'HTTP/2.0',
  'http/1.1',
  'HTTP/1.1 ',
  'HTTP/1.2',
  '',
];
const HEADERS = [
  ...[
    'Accept-Encoding: gzip',
    'accept-encoding:br',
    'ACCEPT-ENCODING:\tzstd \t',
    'Accept: text/html',
  ],
  ...[
    'Connection: keep-alive',
    'Connection: Keep-Alive',
    'Connection: close',
    'Connection: keep-alive, x',
  ],
  ...[
    'Connection:',
    'Proxy-Connection: close',
    'Keep-Alive: timeout=1',
    'TE: trailers',
    'Trailer: X',
  ],
  ...[
    'Content-Length: 0',
    'Content-Length: 5',
    'Content-Length: +5',
    'Content-Length: 5, 5',
    'content-length : 5',
  ],
  ...[
    'Transfer-Encoding: chunked',
    'Transfer-Encoding: gzip',
    'Transfer-Encoding:\tchunked',
    'Transfer-Encoding: identity',
  ],
  ...['Expect: x', 'Upgrade: websocket', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAAQAAP__'],
  ...['Host: other.example', 'Host: 127.0.0.1', 'host:127.0.0.1', 'Host: ', 'HOST: 127.0.0.1 '],
  ...[
    ...['X-A: 1', 'x-a: 2', 'X-A', ': x', 'X A: 1', 'X-A : 1', ' X-A: folded', '\tfolded'],
    'X-\u00e4: 1',
  ],
  ...[
    'X-B: \u00e4',
    'X-B: \u0000',
    'X-B: \u007f',
    'X-B: a\rb',
    'X-B: a\nX-C: b',
    'X-B:',
    `X-L: ${'l'.repeat(9000)}`,
  ],
  ...[
    'Range: bytes=0-1',
    'If-None-Match: *',
    'If-Modified-Since: Fri, 31 Dec 9999 23:59:59 GMT',
    'Cookie: a=b',
  ],
];
const CONTENTS = [
  ...['', '', 'hello', '5\r\nhello\r\n0\r\n\r\n', '0\r\n\r\n'],
  ...['GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n', '\r\n'],
];

/** A request for a page that is held. */
export const HIT = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';

/** What a client sends over one connection, in the pieces in which it sends them. */
export function requestStream(random: Random): readonly string[] {
  // With the third hit, at the latest, hits are answered on the socket.
  const pieces = Array<string>(random.below(4)).fill(HIT);
  const requests = 1 + random.below(6);
  for (let i = 0; i < requests; i++) {
    if (random.chance(0.25)) {
      pieces.push(...hiddenRequests(random));
      continue;
    }
    if (random.chance(0.2)) {
      const pipelined = Array.from({ length: 2 + random.below(4) }, () => plainRequest(random));
      pieces.push(pipelined.join(''));
      continue;
    }
    const request = random.chance(0.5) ? plainRequest(random) : hostileRequest(random);
    if (random.chance(0.2) && pieces.length > 0) pieces.push(pieces.pop()! + request);
    else if (random.chance(0.25)) pieces.push(...split(request, random));
    else if (random.chance(0.5)) pieces.push(...atHeadEnd(request));
    else pieces.push(request);
  }
  return pieces;
}

/**
 * Requests that are the content of another, or a part of its head, each in a piece of its own; others may precede it
 * in its piece.
 */
function hiddenRequests(random: Random): string[] {
  const hidden = Array.from({ length: 1 + random.below(3) }, () => plainRequest(random));
  const method = random.pick(['POST', 'GET', 'HEAD', 'OPTIONS']);
  const start = `${random.chance(0.5) ? plainRequest(random) : ''}${method} / HTTP/1.1\r\nHost: 127.0.0.1\r\n`;
  const length = hidden.join('').length;
  switch (random.below(5)) {
    case 0:
      return [`${start}Content-Length: ${length}\r\n\r\n`, ...hidden];
    case 1:
      return [
        `${start}Transfer-Encoding: chunked\r\n\r\n`,
        ...hidden.flatMap((each) => [`${each.length.toString(16)}\r\n`, each, '\r\n']),
        '0\r\n\r\n',
      ];
    case 2:
      return [`${start}X-Hidden: `, ...hidden];
    case 3:
      return [`${start}Content-Length: ${length}\r\nX-Hidden: `, plainRequest(random), ...hidden];
    default:
      // More than is announced, or less.
      return [`${start}Content-Length: ${length + random.below(3) - 1}\r\n\r\n`, ...hidden];
  }
}

function plainRequest(random: Random): string {
  const method = random.chance(0.2) ? 'HEAD' : 'GET';
  const target = random.pick(['/', '/', '/robots.txt', '/missing', '/slow']);
  const headers = ['Host: 127.0.0.1'];
  if (random.chance(0.5)) headers.push('Accept-Encoding: gzip, deflate, br, zstd');
  if (random.chance(0.2)) headers.push(random.pick(HEADERS));
  return `${method} ${target} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
}

function hostileRequest(random: Random): string {
  const lines = [`${random.pick(METHODS)} ${random.pick(TARGETS)} ${random.pick(VERSIONS)}`];
  if (random.chance(0.9)) lines.push('Host: 127.0.0.1');
  for (let i = random.below(5); i > 0; i--) lines.push(random.pick(HEADERS));
  const end = random.chance(0.9) ? '\r\n' : random.pick(['\n', '\r', '\r\r\n', '\n\r\n']);
  const request =
    lines.join(random.chance(0.95) ? '\r\n' : end) + end + (random.chance(0.95) ? '\r\n' : '\n');
  const whole = request + random.pick(CONTENTS);
  return random.chance(0.1) ? damage(whole, random) : whole;
}

/** Replaces, drops or inserts a byte. */
function damage(text: string, random: Random): string {
  const at = random.below(text.length);
  const byte = random.chance(0.5) ? '' : String.fromCharCode(random.below(256));
  return text.slice(0, at) + byte + text.slice(at + random.below(2));
}

/** The head, and the bytes that follow it. */
function atHeadEnd(text: string): string[] {
  const at = text.indexOf('\r\n\r\n') + 4;
  return [text.slice(0, at), text.slice(at)].filter((piece) => piece !== '');
}

function split(text: string, random: Random): string[] {
  const at = 1 + random.below(text.length);
  return [text.slice(0, at), text.slice(at)].filter((piece) => piece !== '');
}
