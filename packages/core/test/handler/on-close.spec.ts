import { expect, test, vi } from 'vitest';
import { html, storedServer } from '../pages/stored-server.ts';

test('onClose is called once, when what is being rendered has ended', async () => {
  const order: string[] = [];
  let finish = (): void => undefined;
  const server = storedServer(
    async () => {
      await new Promise<void>((resolve) => (finish = resolve));
      order.push('rendered');
      return html('page', {});
    },
    { onClose: () => void order.push('closed') },
  );
  const answer = server.get('/p');
  await vi.waitFor(() => expect(server.requests).toHaveLength(1));
  const closed = [server.handler.close(), server.handler.close()];
  finish();
  await Promise.all([answer, ...closed]);
  expect(order).toEqual(['rendered', 'closed']);
});

test.each([
  ['throws', () => fail()],
  ['rejects', () => Promise.reject(new Error('the pool does not close'))],
])('one that %s is reported once, and close() rejects', async (_how, onClose) => {
  const server = storedServer(() => null, { onClose });
  for (let time = 0; time < 2; time++) {
    await expect(server.handler.close()).rejects.toMatchObject({ code: 'NG_SSR_CLOSE_FAILED' });
  }
  expect(server.errors).toMatchObject([{ code: 'NG_SSR_CLOSE_FAILED' }]);
  expect(String(server.errors[0]!.cause)).toContain('the pool does not close');
});

test('what is no function is refused', () => {
  const create = () => storedServer(() => null, { onClose: true as never });
  expect(create).toThrow('onClose is true (boolean); allowed: a function');
});

function fail(): never {
  throw new Error('the pool does not close');
}
