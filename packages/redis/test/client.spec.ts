import { expect, test } from 'vitest';
import { createScriptClient } from '../src/client.ts';

test('clients of different servers and options have one class: it takes long to make one', () => {
  const clients = [1, 2, 3].map((port) =>
    createScriptClient({ client: { username: `user-${port}` } }, { host: '127.0.0.1', port }),
  );
  clients.push(createScriptClient({ client: {} }, { url: 'redis://127.0.0.1:4' }, 1000));
  expect(new Set(clients.map(({ constructor }) => constructor)).size).toBe(1);
  const ports = clients.map(({ options }) => (options.socket as { port?: number }).port);
  expect(ports).toEqual([1, 2, 3, 4]);
});
