import { expect, it } from 'vitest';
import { storedServer } from '../pages/stored-server.ts';

const MIB = 1024 * 1024;

it('the body of a render that timed out is cancelled, and read no further', async () => {
  let pulls = 0;
  let reason: unknown;
  let tellCancelled!: () => void;
  const cancelled = new Promise<void>((resolve) => (tellCancelled = resolve));
  const server = storedServer(
    () =>
      new Response(
        new ReadableStream({
          pull: async (controller) => {
            pulls++;
            await new Promise((resolve) => setTimeout(resolve, 1));
            controller.enqueue(new Uint8Array(16));
          },
          cancel: (why) => {
            reason = why;
            tellCancelled();
          },
        }),
      ),
    { render: { maxWaitMs: 50, timeoutMs: 100 } },
  );
  expect((await server.get('/p')).status).toBe(503);
  await cancelled;
  expect(reason).toBeInstanceOf(Error);
  const before = pulls;
  await new Promise((resolve) => setTimeout(resolve, 20));
  expect(pulls).toBe(before);
});

it('a body without end is a 500 with its reason, and is cancelled', async () => {
  let isCancelled = false;
  const server = storedServer(
    () =>
      new Response(
        new ReadableStream({
          pull: (controller) => controller.enqueue(new Uint8Array(MIB)),
          cancel: () => void (isCancelled = true),
        }),
      ),
  );
  expect((await server.get('/p')).status).toBe(500);
  expect(isCancelled).toBe(true);
  const [error] = server.errors;
  expect([error!.code, String(error!.cause)]).toEqual([
    'NG_SSR_BODY_FAILED',
    `Error: the body is longer than ${64 * MIB} bytes`,
  ]);
});

it('a body comes whole, in however many parts', async () => {
  const server = storedServer(({ url }) =>
    url.endsWith('/none')
      ? new Response(null)
      : new Response(
          new ReadableStream({
            start: (controller) => {
              for (const part of ['a', '', 'b']) controller.enqueue(Buffer.from(part));
              controller.close();
            },
          }),
        ),
  );
  expect((await server.get('/parts')).text).toBe('ab');
  expect((await server.get('/none')).text).toBe('');
});
