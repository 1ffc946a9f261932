import { type SsrOptions, withPrewarm } from '@ng-ssr/core';
import type { SsrServer } from '@ng-ssr/node/adapter';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

/** `listen` begins with what happens in the background: no request needs to come first. */
export function definePrewarmingTest(create: (options: SsrOptions) => SsrServer): void {
  test('a server that listens prewarms before anybody has asked for anything', async () => {
    let resolve!: (url: string) => void;
    const rendered = new Promise<string>((settle) => (resolve = settle));
    const server = create({
      engine: ({ url }) => {
        resolve(url);
        return new Response('page', { headers: { 'cache-control': 's-maxage=60' } });
      },
      allowedHosts: ['shop.example'],
      files: { folder: writeBuiltSite({ 'browser/index.html': prerendered('home') }) },
      features: [withPrewarm({ paths: ['/products/1'], origin: 'https://shop.example' })],
    });
    onTestFinished(() => server.close());
    await server.listen({ port: 0, announce: false, shutdown: false });
    expect(await rendered).toBe('https://shop.example/products/1');
  });
}
