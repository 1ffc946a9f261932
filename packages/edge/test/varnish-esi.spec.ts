import { varnishEdge } from '@ng-ssr/edge';
import { withEdge, withSlots } from '@ng-ssr/core';
import { createNodeSsrServer, type NodeSsrServer } from '@ng-ssr/node/server';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isVarnishMissing, PURGE_TOKEN, VarnishServer } from './varnish-server.ts';

/** Varnish compiles its VCL with a C compiler. */
const START_MS = 60_000;
const MAIN = '<script src="/main.js" type="module"></script>';
const HOST = '<app-cart ngSkipHydration data-slot="cart">0</app-cart>';
const ALL = '<script type="application/json" data-ng-ssr-slots></script>';

interface Answered {
  readonly text: string;
  readonly headers: Headers;
  readonly isHit: boolean;
}

describe.skipIf(isVarnishMissing())(
  'slots with ESI, in Varnish with the VCL of docs/deploy',
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-esi-'));
    let varnish: VarnishServer;
    let server: NodeSsrServer;
    let renders = 0;
    /** The paths for which the endpoint was asked. */
    const filled: string[] = [];
    /** Ends the slot of `/late`. */
    let finish: (data: string) => void;

    beforeAll(async () => {
      varnish = await VarnishServer.reserve();
      server = createNodeSsrServer({
        engine: ({ url }) => {
          if (new URL(url).pathname.startsWith('/-/')) return Promise.resolve(null);
          const text = `<!doctype html><html><body><p>render ${++renders} &amp; more</p>${url.endsWith('/island') ? HOST : ''}${MAIN}</body></html>`;
          return Promise.resolve(new Response(text, { headers: { 'content-type': 'text/html' } }));
        },
        files: { folder },
        // Varnish passes on the Host of its own port.
        allowedHosts: ['*'],
        probes: { ready: '/readyz' },
        routeRules: { '/uncached': {}, '/**': { sMaxAge: 600, staleWhileRevalidate: 60 } },
        features: [
          withEdge(varnishEdge({ url: varnish.url, token: PURGE_TOKEN, settleMs: 0 })),
          withSlots(
            {
              user: {
                fill: ({ headers, url }) => {
                  filled.push(url.slice(varnish.url.length));
                  return headers.get('cookie');
                },
              },
              late: {
                routes: ['/late'],
                fill: () => new Promise<string>((resolve) => (finish = resolve)),
                timeoutMs: 20_000,
              },
              cart: {
                routes: ['/island'],
                fill: ({ headers }) => headers.get('cookie'),
                html: (data) => `<b>${data as string}</b>`,
              },
              broken: { routes: ['/broken'], fill: () => Promise.reject(new Error('cracked')) },
            },
            { endpoint: '/_slots' },
          ),
        ],
        onError: () => undefined,
      });
      const { port } = await server.listen({ port: 0, host: '127.0.0.1', announce: false });
      await varnish.start(port);
    }, START_MS);

    afterAll(async () => {
      await varnish?.stop();
      await server?.close();
      rmSync(folder, { recursive: true });
    });

    const get = async (
      path: string,
      name?: string,
      own: Readonly<Record<string, string>> = {},
    ): Promise<Answered> => {
      const cookie: Record<string, string> =
        name === undefined ? {} : { cookie: `session=${name}` };
      const response = await fetch(varnish.url + path, { headers: { ...cookie, ...own } });
      expect(response.status).toBe(200);
      const { headers } = response;
      const isHit = headers.get('cache-status')?.includes('Varnish; hit') === true;
      return { text: await response.text(), headers, isHit };
    };
    const pageWith = (render: number, ...slots: readonly string[]): string => {
      const main = MAIN.replace('<script', '<script async');
      const page = `<!doctype html><html><body><p>render ${render} &amp; more</p>${main}`;
      return `${page}${ALL}${slots.join('')}</body></html>`;
    };
    const slot = (name: string, text: string): string =>
      `<script type="application/json" data-ng-ssr-slot="${name}">${text}\n</script>`;

    test('two visitors get one cached page, and each its own slots', async () => {
      const before = renders;
      for (const [at, name] of ['ann', 'bob', 'ann'].entries()) {
        const { text, isHit } = await get('/shared', name);
        expect(text).toBe(pageWith(before + 1, slot('user', `"session=${name}"`)));
        expect(isHit).toBe(at > 0);
      }
      const anonymous = await get('/shared');
      expect([anonymous.text, anonymous.isHit]).toEqual([pageWith(before + 1), true]);
      expect(renders).toBe(before + 1);
    });

    test('no later cache may keep what was made of the page', async () => {
      await get('/private', 'ann');
      const { headers, isHit } = await get('/private', 'ann', { 'if-none-match': '*' });
      expect(isHit).toBe(true);
      expect(headers.get('cache-control')).toBe('private, no-cache, no-transform');
      for (const name of ['etag', 'surrogate-control', 'cdn-cache-control', 'xkey']) {
        expect(headers.get(name), name).toBeNull();
      }
    });

    test('the endpoint gets the path and query that the client has asked for', async () => {
      for (const target of ['/query?a=1&b=%22%3E&c=d+e', '/caf%C3%A9?q=%26amp%3B']) {
        filled.length = 0;
        await get(target, 'ann');
        await get(target, 'bob');
        expect(filled).toEqual([target, target]);
      }
    });

    test('headers of a navigation from another site are those of the include, too', async () => {
      const from = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'document' };
      const { text } = await get('/navigation', 'ann', from);
      expect(text).toContain(slot('user', '"session=ann"'));
    });

    test('the page is sent before a slot that takes its time', async () => {
      const response = await fetch(`${varnish.url}/late`, { headers: { cookie: 'session=ann' } });
      const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
      let text = '';
      while (!text.includes(slot('user', '"session=ann"'))) text += (await reader.read()).value;
      expect(text).not.toContain('slot="late"');
      finish('now');
      for (let read = await reader.read(); !read.done; read = await reader.read())
        text += read.value;
      expect(text.endsWith(`${slot('late', '"now"')}</body></html>`)).toBe(true);
    });

    test('islands have their HTML before the script of the application', async () => {
      for (const name of ['ann', 'bob']) {
        const { text } = await get('/island', name);
        const template = `<template for="cart"><b>session=${name}</b></template>`;
        expect(text).toContain('data-slot="cart"><?start name="cart">0</app-cart>');
        const async = MAIN.replace('<script', '<script async');
        expect(text.endsWith(`${template}${async}</body></html>`)).toBe(true);
      }
    });

    test('a slot that fails leaves the page whole', async () => {
      const { text } = await get('/broken', 'ann');
      expect(text.endsWith('</body></html>')).toBe(true);
      expect(text).toContain(slot('broken', ''));
    });

    test('a page that is not cached has its slots, too', async () => {
      for (const name of ['ann', 'bob']) {
        const { text, isHit } = await get('/uncached', name);
        expect([text, isHit]).toEqual([
          pageWith(renders, slot('user', `"session=${name}"`)),
          false,
        ]);
      }
    });

    test('a purge reaches the page', async () => {
      const before = await get('/purged', 'ann');
      await server.cache.purge({ path: '/purged', hard: true });
      const after = await get('/purged', 'ann');
      expect([after.isHit, after.text === before.text]).toEqual([false, false]);
      expect((await get('/purged', 'bob')).isHit).toBe(true);
    });

    test('what a client says of itself changes nothing', async () => {
      const { text } = await get('/announced', 'ann', { 'surrogate-capability': 'a="ESI/0.9"' });
      expect(text).toContain(slot('user', '"session=ann"'));
    });

    test('an include that is refused leaves no text in the page', async () => {
      const before = renders;
      const from = { 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'iframe' };
      const { text } = await get('/framed', 'ann', from);
      expect(text).toBe(pageWith(before + 1).replace(ALL, ''));
    });

    test('a cached page is whole while the server is down', async () => {
      const { text } = await get('/down');
      await server.close();
      expect((await get('/down', 'ann')).text).toBe(text.replace(ALL, ''));
    });
  },
);
