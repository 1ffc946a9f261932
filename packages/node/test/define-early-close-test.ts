import type { SsrOptions } from '@ng-ssr/core';
import type { SsrServer } from '@ng-ssr/node/adapter';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

/** `close` that comes while `listen` is in flight ends the server as well. */
export function defineEarlyCloseTest(create: (options: SsrOptions) => SsrServer): void {
  test.each(['127.0.0.1', 'localhost'])(
    'close() during listen() on %s leaves nothing that listens',
    async (host) => {
      const server = create({
        engine: () => null,
        allowedHosts: ['127.0.0.1'],
        files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
      });
      const signals = process.listenerCount('SIGTERM');
      const listening = server.listen({ port: 0, host, announce: false });
      await server.close();
      expect((await listening).server.listening).toBe(false);
      expect(process.listenerCount('SIGTERM')).toBe(signals);
    },
  );

  test('close() during a listen() that fails closes all the same', async () => {
    const options = {
      engine: () => null,
      allowedHosts: ['127.0.0.1'],
      files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
    };
    const [first, second] = [create(options), create(options)];
    const where = { port: 0, host: '127.0.0.1', announce: false, shutdown: false } as const;
    const { port } = await first.listen(where);
    const refused = expect(second.listen({ ...where, port })).rejects.toMatchObject({
      code: 'EADDRINUSE',
    });
    await Promise.all([second.close(), refused]);
    await first.close();
  });
}
