import { once } from 'node:events';
import type { RequestListener } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { headerOf, RawConnection, requestBytes } from '@ng-ssr/conformance';
import type { SsrOptions } from '@ng-ssr/core';
import { shutDownOnSignals, type SsrLifecycle } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

function get(target: string): string {
  return requestBytes({ target, headers: { host: '127.0.0.1' } });
}

/**
 * A middleware in a server that is not ours ends with it.
 *
 * @param toListener - Puts the middleware into an app.
 */
export function defineLifecycleTest<Middleware extends SsrLifecycle>(
  ssrMiddleware: (options: SsrOptions) => Middleware,
  toListener: (ssr: Middleware) => RequestListener,
): void {
  test('a middleware learns of the end of its server', async () => {
    let begin!: () => void;
    let land!: (page: Response) => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const landed = new Promise<Response>((resolve) => (land = resolve));
    const ssr = ssrMiddleware({
      engine: () => {
        begin();
        return landed;
      },
      allowedHosts: ['127.0.0.1'],
      files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
      probes: { ready: '/readyz' },
    });
    const server = createServer(toListener(ssr)).listen(0, '127.0.0.1');
    const close = shutDownOnSignals(server, ssr, false);
    await once(server, 'listening');
    await ssr.ready();
    const { port } = server.address() as AddressInfo;
    const [prober, reader] = [await RawConnection.open(port), await RawConnection.open(port)];
    onTestFinished(() => {
      prober.destroy();
      reader.destroy();
    });
    prober.write(get('/readyz'));
    expect((await prober.read()).status).toBe(200);
    reader.write(get('/page'));
    await begun;

    const closed = close();
    prober.write(get('/readyz'));
    expect((await prober.read()).status).toBe(503);
    land(new Response('page'));
    const page = await reader.read();
    expect([page.status, headerOf(page, 'connection')]).toEqual([200, 'close']);
    await closed;
    expect(server.listening).toBe(false);
  });
}
