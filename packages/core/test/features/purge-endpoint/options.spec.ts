import { expect, it, onTestFinished, test, vi } from 'vitest';
import type { SsrError } from '@ng-ssr/core';
import { type PurgeEndpointOptions, withPurgeEndpoint } from '@ng-ssr/core';
import { expectRefused, refusalOf, type Refusal } from '../../options/refused-options.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { storedServer } from '../../pages/stored-server.ts';

const TOKEN = 'a-token-of-enough-characters';

const withOptions = (options: unknown): object => ({
  features: [withPurgeEndpoint(options as PurgeEndpointOptions)],
});
const errorOf = (options: unknown): SsrError => refusalOf(withOptions(options));

const WRONG: readonly Refusal[] = [
  [null, 'withPurgeEndpoint', 'null', 'an object'],
  ['/p', 'withPurgeEndpoint', '"/p"', 'an object'],
  [{ path: 'p', token: TOKEN }, 'withPurgeEndpoint.path', '"p"', 'a path'],
  [{ path: '/p?a', token: TOKEN }, 'withPurgeEndpoint.path', '"/p?a"', 'path'],
  [{ path: '/p q', token: TOKEN }, 'withPurgeEndpoint.path', '"/p q"', 'path'],
  [{ path: '//p', token: TOKEN }, 'withPurgeEndpoint.path', '"//p"', 'path'],
  [new Map(), 'withPurgeEndpoint', '[object Map]', 'an object'],
];

test.each<Refusal>(WRONG)('%j is refused: %s', (options, ...named) => {
  expectRefused(withOptions(options), ...named);
});

test('an unknown option is refused by its name', () => {
  const { code, message } = errorOf({ path: '/p', token: TOKEN, tokens: [] });
  expect(code).toBe('NG_SSR_OPTION_UNKNOWN');
  expect(message).toContain('tokens');
});

test.each(['', 'short', 'fifteen-letters', 7, null, ['a-secret-token-in-a-list']])(
  'a token is refused without being shown: %j',
  (token) => {
    const { code, message } = errorOf({ path: '/p', token });
    expect(code).toBe('NG_SSR_OPTION_INVALID');
    expect(message).toContain('withPurgeEndpoint.token');
    expect(message).toContain('16 characters');
    if (token !== null && String(token) !== '') expect(message).not.toContain(String(token));
  },
);

test('no other error shows the token', () => {
  for (const options of [
    { path: 'p', token: TOKEN },
    { path: '/p', token: TOKEN, other: 1 },
    { path: '/p', token: TOKEN, [TOKEN.toUpperCase()]: 1 },
  ]) {
    expect(errorOf(options).message).not.toContain(TOKEN);
  }
});

it('takes what is allowed', () => {
  const feature = withPurgeEndpoint({ path: '/_cache/purge', token: 'x'.repeat(16) });
  expect(() => storedServer(() => null, { features: [feature] })).not.toThrow();
});

it('is at /_ng-ssr/purge and opened by NG_SSR_TOKEN without options', async () => {
  vi.stubEnv('NG_SSR_TOKEN', TOKEN);
  onTestFinished(() => void vi.unstubAllEnvs());
  const server = storedServer(() => null, { features: [withPurgeEndpoint()] });
  const purge = (token: string): Promise<{ readonly status: number }> =>
    server.ask({
      ...plainExchange('/_ng-ssr/purge', { authorization: `Bearer ${token}` }, 'POST'),
      content: () => Promise.resolve(Buffer.from('{"tag":"a"}')),
    });
  expect((await purge(TOKEN)).status).toBe(200);
  expect((await purge(`${TOKEN}x`)).status).toBe(401);
});
