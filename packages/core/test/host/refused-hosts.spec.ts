import { expect, test } from 'vitest';
import { storedServer } from '../pages/stored-server.ts';

test('a refused host is reported once, in production too, with what to set', async () => {
  const server = storedServer(() => null, { allowedHosts: ['shop.example'], errorDetails: false });
  for (const target of ['/', '/about', '/']) {
    const refused = await server.get(target, { host: 'WWW.shop.example:8080' });
    expect([refused.status, refused.text]).toEqual([400, '400 Bad Request\n']);
  }
  expect(server.errors.map(({ code, message }) => [code, message])).toEqual([
    [
      'NG_SSR_HOST_NOT_ALLOWED',
      'The host www.shop.example is not in allowedHosts: add it to the option, to NG_ALLOWED_HOSTS, or to ' +
        'security.allowedHosts in angular.json. Requests for it get 400. Each host is ' +
        'reported once.',
    ],
  ]);
});

test.each([
  ['shop.example', undefined, true],
  ['127.0.0.1:4000', undefined, false],
  ['shop.example', ['x-forwarded-host'], false],
])(
  'X-Forwarded-Host %s, trusted: %j: the option is named: %s',
  async (forwarded, trusted, isNamed) => {
    const options = { allowedHosts: ['other.example'], trustProxyHeaders: trusted };
    const server = storedServer(() => null, { ...options, errorDetails: true });
    const headers = { host: '127.0.0.1:4000', 'x-forwarded-host': forwarded };
    const advice =
      "If your proxy overwrites X-Forwarded-Host, set trustProxyHeaders: ['x-forwarded-host'].";
    const { text } = await server.get('/', headers);
    expect([text.includes(advice), server.errors[0]?.message.includes(advice)]).toEqual([
      isNamed,
      isNamed,
    ]);
  },
);

test('however many hosts are asked for, few are reported, and the last says so', async () => {
  const server = storedServer(() => null, { allowedHosts: ['shop.example'] });
  for (let i = 0; i < 1000; i++) await server.get('/', { host: `h${i}.example` });
  expect(server.errors).toHaveLength(20);
  expect(server.errors.at(-1)?.message).toContain('after 20 hosts, this is the last report');
});
