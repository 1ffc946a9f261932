import { createNodeSsrServer, withSlots } from '@ng-ssr/node/server';
import { expect, onTestFinished, test } from 'vitest';
import { writeBuiltSite } from '../../core/test/built-site.ts';
import { isNginxMissing, startNginx } from './nginx-server.ts';

const ESI = { 'surrogate-capability': 'client="ESI/1.0"', cookie: 'session=eve' };

/** Starts a server behind an nginx that caches pages, and knows no ESI. */
async function startCached(directives: string): Promise<string> {
  const server = createNodeSsrServer({
    engine: async () =>
      new Response('<html><body>page</body></html>', { headers: { 'content-type': 'text/html' } }),
    files: { folder: writeBuiltSite({ 'browser/main.js': '' }) },
    allowedHosts: ['*'],
    routeRules: { '/**': { sMaxAge: 600 } },
    features: [
      withSlots(
        { user: { fill: ({ headers }) => headers.get('cookie') } },
        { endpoint: '/_slots' },
      ),
    ],
  });
  const { port } = await server.listen({ port: 0, announce: false, shutdown: false });
  onTestFinished(() => server.close());
  const nginx = await startNginx(`proxy_pass http://127.0.0.1:${port}; proxy_cache pages;
    ${directives} add_header X-Cache $upstream_cache_status;`);
  onTestFinished(() => nginx.stop());
  return `http://127.0.0.1:${nginx.port}/a`;
}

interface Got {
  readonly text: string;
  readonly cache: string | null;
}

async function get(url: string, headers: Readonly<Record<string, string>> = {}): Promise<Got> {
  const response = await fetch(url, { headers });
  return { text: await response.text(), cache: response.headers.get('x-cache') };
}

test.skipIf(isNginxMissing())(
  'a client that announces ESI itself gets the include, and leaves no trace in a cache',
  async () => {
    const url = await startCached('');
    for (const [headers, cache, hasInclude] of [
      [ESI, 'MISS', true],
      [{}, 'MISS', false],
      [{}, 'HIT', false],
    ] as const) {
      const got = await get(url, headers);
      expect([got.cache, got.text.includes('<esi:include')]).toEqual([cache, hasInclude]);
      expect(got.text).not.toContain('eve');
    }
  },
);

test.skipIf(isNginxMissing())(
  'a cache that ignores what the server says keeps an include, and no data',
  async () => {
    const url = await startCached(
      'proxy_ignore_headers Cache-Control Vary; proxy_cache_valid 200 1m;',
    );
    await get(url, ESI);
    const { text, cache } = await get(url);
    expect([cache, text.includes('<esi:include')]).toEqual(['HIT', true]);
    expect(text).not.toMatch(/eve|data-ng-ssr-slot/);
  },
);
