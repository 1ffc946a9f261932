import { expect, it } from 'vitest';
import { parseAuthority } from '../../src/host/authority.ts';
import { randomText } from '../http/random-text.ts';
import { Random, seed } from '@ng-ssr/conformance/fuzz';

it.each([
  // RFC 9110 sections 7.2 and 4.2.3: hosts of their examples.
  ['www.example.org', 'www.example.org', ''],
  ['EXAMPLE.com', 'example.com', ''],
  ['example.com:80', 'example.com', '80'],
  ['example.com:8080', 'example.com', '8080'],
  // RFC 3986 section 3.2.2: names, IPv4 and IPv6 addresses.
  ['localhost', 'localhost', ''],
  ['a', 'a', ''],
  ['a.', 'a.', ''],
  ['a-b_c.example', 'a-b_c.example', ''],
  ['-a', '-a', ''],
  ['127.0.0.1', '127.0.0.1', ''],
  ['255.255.255.255:1', '255.255.255.255', '1'],
  ['1.example', '1.example', ''],
  ['xn--mnchen-3ya.de', 'xn--mnchen-3ya.de', ''],
  ['[::1]', '[::1]', ''],
  ['[::1]:443', '[::1]', '443'],
  // Sections 2.2 and 4 of RFC 5952: one address, one spelling.
  ['[2001:DB8:0:0:0:0:0:7]', '[2001:db8::7]', ''],
  ['[2001:0db8::0007]:1', '[2001:db8::7]', '1'],
  ['[::ffff:192.0.2.1]', '[::ffff:c000:201]', ''],
  ['[::]', '[::]', ''],
  ['h:0', 'h', '0'],
  ['h:00080', 'h', '80'],
  ['h:', 'h', ''],
  ['[::1]:', '[::1]', ''],
  ['h:65535', 'h', '65535'],
  [`${'a'.repeat(255)}:65535`, 'a'.repeat(255), '65535'],
])('RFC 9110 section 7.2: %s is the host %s and the port %s', (value, hostname, port) => {
  expect(parseAuthority(value)).toEqual({ hostname, port });
});

it.each([
  ['nothing', ''],
  ['too long', 'a'.repeat(262)],
  ['a port alone', ':80'],
  ['a dot alone', '.'],
  ['a dot in front', '.h'],
  ['two dots in front', '..h'],
  ['two dots', 'h..a'],
  ['two dots behind', 'h..'],
  ['a dot in front of a port', '.:80'],
  ['an empty name with an empty port', ':'],
  ['a port beyond 65535', 'h:65536'],
  ['six digits', 'h:000080'],
  ['a signed port', 'h:+80'],
  ['a port with a space', 'h: 80'],
  ['a hexadecimal port', 'h:0x50'],
  ['digits of another script', 'h:\u0668\u0660'],
  ['two ports', 'h:80:80'],
  ['user information', 'a@h'],
  ['user information with a password', 'a:b@h'],
  ['a path', 'h/'],
  ['a backslash', 'h\\a'],
  ['a query', 'h?'],
  ['a fragment', 'h#'],
  ['a scheme', 'http://h'],
  ['white space in front', ' h'],
  ['white space behind', 'h '],
  ['a tab within', 'h\ta'],
  ['a line break', 'h\r\n'],
  ['NUL', 'h\0'],
  ['DEL', 'h\x7f'],
  ['an escape', 'h%2ea'],
  ['a comma', 'h,g'],
  ['a semicolon', 'h;g'],
  ['a sub-delimiter', "h!$&'()*+=g"],
  ['a wildcard', '*'],
  ['letters beyond ASCII', 'm\u00fcnchen.de'],
  ['fullwidth letters', '\uff48'],
  ['a soft hyphen', 'h\u00ad'],
  ['the Kelvin sign', '\u212a'],
  ['an ideographic full stop', 'a\u3002b'],
  ['an IPv4 address in one number', '2130706433'],
  ['an IPv4 address in three', '127.0.1'],
  ['a hexadecimal IPv4 address', '0x7f.0.0.1'],
  ['an octal IPv4 address', '0177.0.0.1'],
  ['an IPv4 address with a dot behind', '127.0.0.1.'],
  ['an IPv4 address with 256', '256.0.0.1'],
  ['five numbers', '1.2.3.4.5'],
  ['an IPv6 address without brackets', '::1'],
  ['an open bracket', '[::1'],
  ['a closing bracket', '::1]'],
  ['two opening brackets', '[[::1]'],
  ['two closing brackets', '[::1]]'],
  ['no address', '[]'],
  ['a name in brackets', '[h]'],
  ['an IPv4 address in brackets', '[127.0.0.1]'],
  ['a zone', '[fe80::1%25eth0]'],
  ['a zone without an escape', '[fe80::1%eth0]'],
  ['a future address', '[v1.a]'],
  ['two runs of zeros', '[1::2::3]'],
  ['text behind a bracket', '[::1]a'],
  // What stands before the last `@` is user information to a URL parser, also a bracket.
  ['user information in a bracket', '[a@[::1]'],
  ['a password in a bracket', '[:@[::1]'],
  // URL parsers pass over tabs and line breaks.
  ['a tab in an address', '[::\t1]'],
  ['a line break in an address', '[:\n:1]'],
])('RFC 9110 section 7.2: %s is no host', (_name, value) => {
  expect(parseAuthority(value)).toBeUndefined();
});

it('RFC 9110 section 7.2: of one byte only letters, digits, - and _ are hosts', () => {
  for (let code = 0; code <= 0xff; code++) {
    const character = String.fromCharCode(code);
    // `1` alone is 0.0.0.1 to a URL parser.
    expect(parseAuthority(`h${character}h`)?.hostname, `byte ${code}`).toBe(
      /[\w.-]/.test(character) ? `h${character}h`.toLowerCase() : undefined,
    );
  }
});

const PIECES = [
  ...['a', 'B', '1', '0', '255', '.', '.', ':', ':', '::', '[', ']', '@', '/', '\\', '?', '#', '%'],
  ...['%41', '-', '_', ' ', '\t', '\n', 'xn--', '0x', ',', '*', '\u00e9', 'example.com', '[::1]'],
];

it(`a URL has the host and the port that are read, and nothing else, seed ${seed}`, () => {
  const random = new Random(seed);
  let hosts = 0;
  for (let i = 0; i < 30_000; i++) {
    const value = randomText(random, PIECES, 6);
    const authority = parseAuthority(value);
    if (authority === undefined) continue;
    hosts++;
    const about = JSON.stringify(value);
    const url = new URL(`http://${value}`);
    const { hostname, port } = authority;
    const portOfUrl = port === '' || Number(port) === 80 ? '' : String(Number(port));
    if (url.hostname !== hostname || url.port !== portOfUrl) expect.fail(about);
    if (url.href !== `http://${url.host}/`) expect.fail(`${about}: ${url.href}`);
    // One reading, whatever wrote it: the host in lower case, or an address in its one spelling.
    if (!value.startsWith('[') && !value.toLowerCase().startsWith(hostname)) expect.fail(about);
    if (!/^(?:[\w.-]+|\[[\da-f:.]+\])(?::\d*)?$/i.test(value)) expect.fail(about);
  }
  expect(hosts).toBeGreaterThan(300);
});

it(`what is written is read, seed ${seed}`, () => {
  const random = new Random(seed);
  for (let i = 0; i < 5_000; i++) {
    const name = randomText(random, ['a', 'z', '0', '9', '-', '_'], 6);
    const group = (): string => random.below(0x10000).toString(16);
    const address = new URL(`http://[${Array.from({ length: 8 }, group).join(':')}]`).hostname;
    const ipv4 = Array.from({ length: 4 }, () => random.below(256)).join('.');
    const hostname = random.pick([`h${name}.example`, ipv4, address]);
    const port = random.chance(0.5) ? String(random.below(65_536)) : '';
    const value = port === '' ? hostname : `${hostname}:${port}`;
    expect(parseAuthority(value), value).toEqual({ hostname, port });
    expect(parseAuthority(value.toUpperCase()), value).toEqual({ hostname, port });
  }
});
