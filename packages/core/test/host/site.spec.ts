import { expect, it } from 'vitest';
import { toAllowedHosts } from '../../src/host/allowed-hosts.ts';
import { toProxyHeaderPredicate } from '../../src/host/proxy-headers.ts';
import { SiteReader } from '../../src/host/site.ts';
import { plainExchange } from '../plain-exchange.ts';

type HeaderRecord = Readonly<Record<string, string>>;

/** The origin of a request, or the verdict on it. */
function siteOf(
  headers: HeaderRecord,
  trust: boolean | readonly string[],
  encrypted = false,
  localPort: number | undefined = undefined,
): string {
  const allowed = toAllowedHosts([
    ...[
      'localhost',
      'shop.example',
      '*.tenants.example',
      '[::1]',
      'listed.example:81',
      '*.listed.example:443',
    ],
  ]);
  const isTrusted = toProxyHeaderPredicate(trust, 'trustProxyHeaders');
  const reader = new SiteReader(allowed, isTrusted, trust !== false);
  const site = reader.read({ ...plainExchange('/', headers), encrypted, localPort });
  return site.verdict === 'allowed' ? site.origin : site.verdict;
}

const HOST = 'x-forwarded-host';
const PROTO = 'x-forwarded-proto';
const PORT = 'x-forwarded-port';

it.each<[HeaderRecord, string]>([
  [{}, 'http://localhost'],
  [{ [HOST]: 'shop.example' }, 'http://shop.example'],
  [{ [PROTO]: 'https' }, 'https://localhost'],
  [{ [PROTO]: 'HTTPS' }, 'https://localhost'],
  [{ [HOST]: 'shop.example', [PROTO]: 'https', [PORT]: '8443' }, 'https://shop.example:8443'],
  [{ [PORT]: '8080' }, 'http://localhost:8080'],
  // The default port of a scheme is no part of its origin.
  [{ [PROTO]: 'https', [PORT]: '443' }, 'https://localhost'],
  [{ [PROTO]: 'https', [PORT]: '80' }, 'https://localhost:80'],
  // A port of the host's own has to be that of X-Forwarded-Port.
  [{ [HOST]: 'shop.example:81', [PORT]: '82' }, 'not-allowed'],
  [{ [HOST]: 'shop.example:81', [PORT]: '81' }, 'http://shop.example:81'],
  [{ [HOST]: 'shop.example:81', [PORT]: '81, 82' }, 'http://shop.example:81'],
  [{ [HOST]: 'shop.example:81' }, 'not-allowed'],
  [{ [HOST]: 'shop.example:80', [PORT]: '81' }, 'http://shop.example'],
  [{ [HOST]: 'shop.example:443', [PROTO]: 'https' }, 'https://shop.example'],
  [{ [HOST]: 'listed.example:81', [PORT]: '82' }, 'http://listed.example:81'],
  [{ host: 'localhost:81', [PORT]: '81' }, 'http://localhost:81'],
  [{ host: 'localhost:82', [PORT]: '81' }, 'not-allowed'],
  // Of several proxies the first one in each list counts.
  [{ [HOST]: 'shop.example, localhost', [PROTO]: 'https, http' }, 'https://shop.example'],
  [{ [HOST]: '[::1]', [PORT]: '1' }, 'http://[::1]:1'],
  // RFC 7239: Forwarded counts before X-Forwarded-*, word by word.
  [{ forwarded: 'host=shop.example', [HOST]: 'localhost' }, 'http://shop.example'],
  [{ forwarded: 'proto=https', [HOST]: 'shop.example', [PROTO]: 'http' }, 'https://shop.example'],
  [{ forwarded: 'for=1', [HOST]: 'shop.example', [PROTO]: 'https' }, 'https://shop.example'],
  [{ forwarded: 'host="shop.example:81";proto=https' }, 'not-allowed'],
  [{ forwarded: 'host="shop.example:81"', [PORT]: '81' }, 'http://shop.example:81'],
  [{ forwarded: 'host=shop.example, host=evil.example' }, 'http://shop.example'],
  // What is not allowed.
  [{ [HOST]: 'evil.example' }, 'not-allowed'],
  [{ [HOST]: 'tenants.example' }, 'not-allowed'],
  [{ forwarded: 'host=evil.example', [HOST]: 'shop.example' }, 'not-allowed'],
  // What is malformed.
  [{ [HOST]: '' }, 'malformed'],
  [{ [HOST]: ', shop.example' }, 'malformed'],
  [{ [HOST]: 'shop.example/' }, 'malformed'],
  [{ [HOST]: 'http://shop.example' }, 'malformed'],
  [{ [PROTO]: '' }, 'malformed'],
  [{ [PROTO]: 'ws' }, 'malformed'],
  [{ [PROTO]: 'https:' }, 'malformed'],
  [{ [PORT]: '' }, 'malformed'],
  [{ [PORT]: '65536' }, 'malformed'],
  [{ [PORT]: '80/evil' }, 'malformed'],
  [{ forwarded: '' }, 'malformed'],
  [{ forwarded: 'host=', [HOST]: 'shop.example' }, 'malformed'],
  [{ forwarded: 'for;host=evil.example', [HOST]: 'shop.example' }, 'malformed'],
  [{ host: 'a@b', [HOST]: 'shop.example' }, 'malformed'],
])('trusted, %j is %s', (headers, site) => {
  expect(siteOf(headers, true)).toBe(site);
});

it.each<[HeaderRecord, boolean | readonly string[], boolean, string]>([
  [{ [HOST]: 'evil.example', forwarded: '"' }, false, false, 'http://localhost'],
  [{ [PROTO]: 'http' }, false, true, 'https://localhost'],
  [{ [PROTO]: 'http' }, true, true, 'http://localhost'],
  [{ [HOST]: 'shop.example' }, true, true, 'https://shop.example'],
  [{ [HOST]: 'shop.example', [PROTO]: 'https' }, [HOST], false, 'http://shop.example'],
  [{ [HOST]: 'evil.example', [PROTO]: 'https' }, [PROTO], false, 'https://localhost'],
  [{ forwarded: '"', [HOST]: 'shop.example' }, [HOST], false, 'http://shop.example'],
])('%j, of which %j are trusted, encrypted: %s, is %s', (headers, trust, encrypted, site) => {
  expect(siteOf(headers, trust, encrypted)).toBe(site);
});

it.each<[string, number | undefined, boolean, string]>([
  ['shop.example', 4000, false, 'http://shop.example'],
  ['shop.example:', 4000, false, 'http://shop.example'],
  ['shop.example:4000', 4000, false, 'http://shop.example:4000'],
  // The root's dot names the same host.
  ['shop.example.', 4000, false, 'http://shop.example'],
  ['Shop.example.:4000', 4000, false, 'http://shop.example:4000'],
  ['a.tenants.example.', 4000, false, 'http://a.tenants.example'],
  ['tenants.example.', 4000, false, 'not-allowed'],
  ['listed.example.:81', 4000, false, 'http://listed.example:81'],
  ['shop.example..', 4000, false, 'malformed'],
  ['shop.example:04000', 4000, false, 'http://shop.example:4000'],
  ['shop.example:4000', 4001, false, 'not-allowed'],
  ['shop.example:4000', undefined, false, 'not-allowed'],
  ['shop.example:8080', 4000, false, 'not-allowed'],
  ['shop.example:0', 4000, false, 'not-allowed'],
  ['shop.example:0', undefined, false, 'not-allowed'],
  // The connection has ended.
  ['shop.example:4000', 0, false, 'malformed'],
  ['shop.example', 0, false, 'http://shop.example'],
  ['shop.example:80', 4000, false, 'http://shop.example'],
  ['shop.example:080', 4000, false, 'http://shop.example'],
  ['shop.example:443', 4000, false, 'not-allowed'],
  ['shop.example:443', 4000, true, 'https://shop.example'],
  ['shop.example:80', 4000, true, 'not-allowed'],
  ['[0:0::1]:4000', 4000, true, 'https://[::1]:4000'],
  ['a.tenants.example:4000', 4000, false, 'http://a.tenants.example:4000'],
  // An entry with a port allows that port alone, also where it is that of the scheme.
  ['listed.example:81', 4000, false, 'http://listed.example:81'],
  ['listed.example', 4000, false, 'not-allowed'],
  ['listed.example:4000', 4000, false, 'not-allowed'],
  ['a.listed.example', 4000, true, 'https://a.listed.example'],
  ['a.listed.example', 4000, false, 'not-allowed'],
  ['a.listed.example:443', 4000, false, 'http://a.listed.example:443'],
])('%s on a connection to port %s, encrypted: %s, is %s', (host, port, encrypted, site) => {
  expect(siteOf({ host }, false, encrypted, port)).toBe(site);
  // Nor does a trusted proxy that says nothing change it.
  expect(siteOf({ host }, true, encrypted, port)).toBe(site);
});

it('a host whose port was seen on another connection is judged by its own', () => {
  const reader = new SiteReader(toAllowedHosts(['shop.example']), () => false, false);
  const at = (localPort: number): string =>
    reader.read({ ...plainExchange('/', { host: 'shop.example:4000' }), localPort }).verdict;
  const verdicts = [4001, 4000, 4001, 4000].map(at);
  expect(verdicts).toEqual(['not-allowed', 'allowed', 'not-allowed', 'allowed']);
});

it('a host that is seen again is judged alike, past any number of others', () => {
  const reader = new SiteReader(toAllowedHosts(['shop.example']), () => false, false);
  const verdictOf = (host: string): string => reader.read(plainExchange('/', { host })).verdict;
  for (let round = 0; round < 2; round++) {
    for (let i = 0; i < 1_500; i++) expect(verdictOf(`h${i}.example`)).toBe('not-allowed');
    expect(verdictOf('shop.example')).toBe('allowed');
    expect(verdictOf('SHOP.example:80')).toBe('allowed');
    expect(verdictOf('SHOP.example:1')).toBe('not-allowed');
    expect(verdictOf('shop.example#')).toBe('malformed');
  }
});
