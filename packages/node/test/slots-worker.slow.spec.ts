import { createNodeSsrServer, withSlots } from '@ng-ssr/node/server';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  missingWorkerd,
  startWorkerd,
  type Workerd,
} from '../../fetch/test/workerd/start-workerd.ts';
import { isNginxMissing, type Nginx, startNginx } from './nginx-server.ts';

const ALL = '<script type="application/json" data-ng-ssr-slots></script>';
const NAVIGATION = { 'sec-fetch-dest': 'document', 'sec-fetch-site': 'none' };
const FILLER = '<p>the same for all</p>'.repeat(200);

/** The Worker of the documentation. */
function recipe(): string {
  const page = readFileSync(join(import.meta.dirname, '../../../docs/slots.md'), 'utf8');
  const [, code] = /```js\n(\/\/ worker\.js\n[^]*?)```/.exec(page)!;
  return code!;
}

const missing = missingWorkerd ?? (isNginxMissing() ? 'there is no nginx' : undefined);

describe.skipIf(missing !== undefined)('a Worker that appends slots to cached pages', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-slots-worker-'));
  let nginx: Nginx;
  let worker: Workerd;
  let renders = 0;
  /** Ends the slot of `/late`. */
  let finish: (data: string) => void;
  const server = createNodeSsrServer({
    engine: ({ url }) => {
      const { pathname } = new URL(url);
      const status = pathname === '/missing' ? 404 : 200;
      const text = `<html><body>render ${++renders}${FILLER}</body></html>`;
      const headers = { 'content-type': pathname === '/data' ? 'text/plain' : 'text/html' };
      return Promise.resolve(new Response(text, { status, headers }));
    },
    files: { folder },
    allowedHosts: ['*'],
    routeRules: { '/**': { sMaxAge: 600 } },
    features: [
      withSlots(
        {
          user: { fill: ({ headers, url }) => [headers.get('cookie'), new URL(url).search] },
          late: {
            routes: ['/late'],
            fill: () => new Promise<string>((resolve) => (finish = resolve)),
            timeoutMs: 20_000,
          },
        },
        { endpoint: '/_slots' },
      ),
    ],
    onError: () => undefined,
  });

  beforeAll(async () => {
    const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
    // In place of the cache of a CDN.
    nginx = await startNginx(`proxy_pass http://127.0.0.1:${port}; proxy_http_version 1.1;
      proxy_set_header Host $http_host; proxy_cache pages;
      if ($uri = /_slots) { set $broken $http_x_broken; } if ($broken) { return 503; }
      add_header X-Cache $upstream_cache_status;`);
    writeFileSync(join(folder, 'worker.js'), recipe());
    worker = await startWorkerd(folder, ['worker.js'], folder, `127.0.0.1:${nginx.port}`);
  });

  afterAll(async () => {
    await worker?.close();
    await nginx?.stop();
    await server.close();
    rmSync(folder, { recursive: true });
  });

  const get = (path: string, own: Readonly<Record<string, string>> = {}): Promise<Response> =>
    fetch(`http://127.0.0.1:${worker.port}${path}`, { headers: { ...NAVIGATION, ...own } });
  const slot = (name: string, data: unknown): string =>
    `<script type="application/json" data-ng-ssr-slot="${name}">${JSON.stringify(data)}\n</script>`;

  test.each(['identity', 'gzip', 'br'])('two visitors, one cached page in %s', async (encoding) => {
    const before = renders;
    const target = `/shared/${encoding}?query`;
    for (const cookie of ['session=ann', 'session=bob']) {
      const response = await get(target, { cookie, 'accept-encoding': encoding });
      const text = await response.text();
      const page = `<html><body>render ${before + 1}${FILLER}</body></html>`;
      expect(text).toBe(page + ALL + slot('user', [cookie, '?query']));
      expect(response.headers.get('x-cache')).toBe(cookie === 'session=ann' ? 'MISS' : 'HIT');
      expect(response.headers.get('cache-control')).toBe('private, no-cache, no-transform');
      for (const name of ['etag', 'content-encoding', 'last-modified', 'age']) {
        expect(response.headers.get(name), name).toBeNull();
      }
    }
    expect(renders).toBe(before + 1);
  });

  test('the page is sent before a slot that takes its time', async () => {
    const response = await get('/late', { cookie: 'session=ann' });
    const reader = response.body!.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes(slot('user', ['session=ann', '']))) text += (await reader.read()).value;
    expect(text).not.toContain('slot="late"');
    finish('now');
    for (let read = await reader.read(); !read.done; read = await reader.read()) text += read.value;
    expect(text.endsWith(slot('late', 'now'))).toBe(true);
  });

  test('the page is whole if the endpoint fails, and the browser is left to ask it', async () => {
    const response = await get('/broken', { cookie: 'session=ann', 'x-broken': '1' });
    const text = await response.text();
    expect(text.endsWith('</body></html>')).toBe(true);
    expect(text).not.toContain('data-ng-ssr-slot');
  });

  test.each([
    ['without a cookie', '/shared', {}],
    ['a missing page', '/missing', { cookie: 'session=ann' }],
    ['another file', '/data', { cookie: 'session=ann' }],
    ['a fetch', '/shared', { cookie: 'session=ann', 'sec-fetch-dest': 'empty' }],
  ])('%s: the response is as it was', async (_name, target, headers) => {
    const response = await get(target, headers);
    expect(await response.text()).not.toContain('data-ng-ssr-slot');
    expect(response.headers.get('cache-control')).not.toMatch(/private/);
  });

  test('the endpoint itself is not appended to', async () => {
    const own = {
      cookie: 'session=ann',
      'sec-fetch-dest': 'empty',
      'sec-fetch-site': 'same-origin',
    };
    const text = await (await get('/_slots?path=%2Fshared', own)).text();
    expect(text).toBe(ALL + slot('user', ['session=ann', '']));
  });
});
