/** One build, three processes, three configurations, in front of one Redis if there is one. */
import { request } from 'node:http';
import type { IncomingHttpHeaders } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import { isShort } from '@ng-ssr/conformance/fuzz';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isRedisServerMissing, RedisServer } from '../../../packages/redis/test/redis-server.ts';
import { findChromium, NO_CHROMIUM, openBrowser } from './browser.ts';
import { encodedBuild } from './encoded-build.ts';
import { type Engine, ENGINES, type ExampleServer, startExample } from './example-server.ts';
import { openPage } from './open-page.ts';

const CONTACTS = ['test@ember.example', 'staging@ember.example', 'shop@ember.example'] as const;
const ADAPTERS = ['koa', 'node', 'hono'] as const;
const decode = { br: brotliDecompressSync, zstd: zstdDecompressSync, gzip: gunzipSync };
const elementOf = (contact: string): string =>
  `<script type="application/json" id="ng-ssr-config">{"contact":"${contact}"}</script>`;

/** Pages by how the servers have them; the common engine has no routes of the client's. */
const PRERENDERED = ['/', '/about'];
const STORED = ['/products/3', '/products/4'];
const RENDERED = ['/account', '/no/such/page'];
const CSR = (engine: Engine): string[] => [
  '/index.csr.html',
  ...(engine === 'app' ? ['/client'] : []),
];

const chromium = findChromium();
if (chromium === undefined) {
  if (process.env['CI'] === 'true') throw new Error(NO_CHROMIUM);
  console.warn(`Browser tests are skipped: ${NO_CHROMIUM}`);
}
const hasRedis = !isRedisServerMissing();

// In a short run one engine: packages/engines/test/public-config.spec.ts has both.
const engines = isShort ? (['app'] as const) : ENGINES;
describe.each(engines)('%s engine', (engine) => {
  const build = encodedBuild(engine);
  let redis: RedisServer | undefined;
  let servers: ExampleServer[] = [];
  let browser: Browser | undefined;

  beforeAll(async () => {
    if (hasRedis) redis = await RedisServer.start();
    const REDIS_URL = redis?.url ?? '';
    const starting = CONTACTS.map((SHOP_CONTACT, at) =>
      startExample(engine, ADAPTERS[at]!, { SHOP_CONTACT, REDIS_URL }, build),
    );
    servers = await Promise.all(starting);
    if (chromium !== undefined) browser = await openBrowser(chromium);
  }, 60_000);
  afterAll(async () => {
    await browser?.close();
    await Promise.all(servers.map((server) => server.stop()));
    await redis?.stop();
  });

  /** Asks as a proxy in front of all would: for one host, whatever the port. */
  async function ask(server: number, path: string, own: Readonly<Record<string, string>> = {}) {
    const headers = { host: 'localhost', accept: 'text/html', ...own };
    const asked = request(servers[server]!.origin + path, { headers }).end();
    return new Promise<{ status: number; headers: IncomingHttpHeaders; text: string }>(
      (resolve, reject) => {
        asked.once('error', reject);
        asked.once('response', (response) => {
          void buffer(response).then((body) => {
            const encoding = response.headers['content-encoding'] as
              keyof typeof decode | undefined;
            const bytes =
              encoding === undefined || body.length === 0 ? body : decode[encoding](body);
            resolve({
              status: response.statusCode!,
              headers: response.headers,
              text: String(bytes),
            });
          }, reject);
        });
      },
    );
  }

  test.each([...PRERENDERED, ...STORED, ...RENDERED, ...CSR(engine)])(
    '%s has the configuration of its process alone',
    async (path) => {
      for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
        for (const [at, contact] of CONTACTS.entries()) {
          const { text, headers } = await ask(at, path, { 'accept-encoding': encoding });
          const place = text.indexOf(elementOf(contact));
          expect(place, path).toBeGreaterThan(0);
          // In front of it there is the document's start, and no script.
          expect(text.slice(0, place)).toMatch(
            /<head>(?:\s*<meta (?:charset="utf-8"|name="ng-ssr-late-calls" content="[^"]*")>)*$/,
          );
          expect(text.split('ng-ssr-config')).toHaveLength(2);
          for (const other of CONTACTS)
            if (other !== contact) expect(text.includes(other)).toBe(false);
          const isRendered = !PRERENDERED.includes(path) && !CSR(engine).includes(path);
          if (isRendered) expect(/id="contact"[^>]*>([^<]*)/.exec(text)?.[1]).toBe(contact);
          expect(headers['last-modified']).toBeUndefined();
        }
      }
    },
  );

  test.each([...PRERENDERED, ...STORED, '/index.csr.html'])(
    '%s: the tag of a stage is a 304 there, and a 200 in the others',
    async (path) => {
      for (const at of CONTACTS.keys()) {
        const { headers } = await ask(at, path);
        for (const asked of CONTACTS.keys()) {
          if (asked === at) continue;
          const { status } = await ask(asked, path, { 'if-none-match': headers.etag! });
          expect(status, `${at} ${asked}`).toBe(200);
        }
        // A stored page may be rendered again between two requests.
        const again = async (): Promise<number> => {
          const { etag } = (await ask(at, path)).headers;
          return (await ask(at, path, { 'if-none-match': etag! })).status;
        };
        await expect.poll(again).toBe(304);
      }
    },
  );

  test.skipIf(!hasRedis)('a page that one stage has stored is none of the others’', async () => {
    const path = '/products/7';
    for (const [at, contact] of CONTACTS.entries()) {
      const first = await ask(at, path);
      expect(first.headers['cache-status']).toMatch(/^ng-ssr; fwd=/);
      expect(first.text.includes(contact)).toBe(true);
      expect((await ask(at, path)).headers['cache-status']).toMatch(/^ng-ssr; hit/);
    }
  });

  describe.skipIf(chromium === undefined)('in a browser', () => {
    test.each(['/', '/products/3', '/client'])('%s shows what is configured', async (path) => {
      const { page, problems } = await openPage(browser!, servers[1]!.origin + path);
      await page.locator('#contact').filter({ hasText: CONTACTS[1] }).waitFor();
      expect(problems).toEqual([]);
    });

    test('a Content-Security-Policy without inline scripts leaves it alone', async () => {
      const context = await browser!.newContext();
      try {
        const page = await context.newPage();
        const problems: string[] = [];
        page.on('console', (message) => problems.push(message.text()));
        const url = `${servers[2]!.origin}/index.csr.html`;
        await page.route(url, async (route) => {
          const response = await route.fetch();
          const policy = "script-src 'self'; require-trusted-types-for 'script'";
          const headers = { ...response.headers(), 'content-security-policy': policy };
          await route.fulfill({ response, headers });
        });
        await page.goto(url);
        await page.locator('#contact').filter({ hasText: CONTACTS[2] }).waitFor();
        // The build has a script of its own, which the policy refuses, and the browser reports.
        const { text } = await ask(2, '/index.csr.html');
        const refused = problems.filter((problem) => /inline script\b/i.test(problem));
        expect(refused).toHaveLength(text.split('<script>').length - 1);
      } finally {
        await context.close();
      }
    });
  });
});
