import { createServer } from 'node:http';
import { afterEach, expect, it, vi } from 'vitest';
import { readPort, toListening } from '../src/adapter/listen.ts';

afterEach(() => vi.unstubAllEnvs());

it('an empty PORT is one that is not set', () => {
  vi.stubEnv('PORT', '');
  expect(readPort(undefined)).toBe(4000);
});

it('a PORT that is no number is refused with its name', () => {
  vi.stubEnv('PORT', 'abc');
  expect(() => readPort(undefined)).toThrow('PORT is "abc"');
});

it.each([undefined, ''])('the URL of a server without a host, %j, has one', (host) => {
  const { url } = toListening(createServer(), { host, announce: false });
  expect(new URL(url).hostname).toBe('localhost');
});
