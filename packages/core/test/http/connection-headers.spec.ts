import { expect, it } from 'vitest';
import { CONNECTION_HEADERS, connectionHeaders } from '../../src/http/header-list.ts';

it.each([
  // RFC 9110 section 7.6.1 lists these as headers to remove even where Connection does not name them.
  ...['proxy-connection', 'keep-alive', 'te', 'transfer-encoding', 'upgrade'],
  // Of one connection by their own definitions: sections 7.6.1, 6.6.2, 11.7.1 to 11.7.3.
  ...['connection', 'trailer', 'proxy-authenticate', 'proxy-authorization'],
  'proxy-authentication-info',
])('RFC 9110 section 7.6.1: %s is of the connection', (name) => {
  for (const connection of [undefined, null, '', 'close']) {
    expect(connectionHeaders(connection).has(name)).toBe(true);
  }
  expect(CONNECTION_HEADERS.has(name)).toBe(true);
});

it.each([
  ['x-a', undefined, false],
  ['x-a', null, false],
  ['x-a', '', false],
  ['x-a', 'close', false],
  ['x-a', 'x-a', true],
  ['x-a', 'X-A', true],
  ['x-a', 'close, x-a', true],
  ['x-a', 'close ,\tX-a , upgrade', true],
  ['x-a', ',,x-a,,', true],
  ['x-a', 'x-a-b', false],
  ['x-a', 'x', false],
  ['x-a', 'close x-a', false],
  ['x-a', '"x-a"', false],
  ['x-a', 'x-a;q=1', false],
  ['constructor', 'close', false],
  ['content-type', 'content-type', true],
])('RFC 9110 section 7.6.1: %s beside `Connection: %s` is of the connection: %s', (...row) => {
  const [name, connection, expected] = row;
  expect(connectionHeaders(connection).has(name)).toBe(expected);
});
