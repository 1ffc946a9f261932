import { afterAll, beforeAll, beforeEach, describe, expect, onTestFinished, test } from 'vitest';
import { varnishEdge } from '@ng-ssr/edge';
import { type Answered, ask, openShop, type Shop } from './shop.ts';
import { storm } from './storm.ts';
import { isVarnishMissing, PURGE_TOKEN, VarnishServer } from './varnish-server.ts';

/** With CI=true always the same. */
const SEED = process.env['CI'] === 'true' ? 1 : Date.now() % 1_000_000;
/** Varnish compiles its VCL with a C compiler. */
const START_MS = 200_000;

describe.skipIf(isVarnishMissing())('Varnish with the VCL of docs/deploy', () => {
  let shop: Shop;
  let varnish: VarnishServer;
  /** Of the test, so that no test finds the pages of another one. */
  let folder = '';
  let tests = 0;

  beforeAll(async () => {
    varnish = await VarnishServer.reserve();
    const edge = varnishEdge({ url: varnish.url, token: PURGE_TOKEN, settleMs: 250 });
    shop = await openShop(edge);
    await varnish.start(shop.port);
  }, START_MS);

  beforeEach(() => {
    folder = `/hard/${++tests}`;
    shop.onRender = () => undefined;
  });

  afterAll(async () => {
    await varnish?.stop();
    await shop?.close();
  });

  const get = (path: string, headers?: Readonly<Record<string, string>>): Promise<Answered> =>
    ask(varnish.url + path, headers);
  const change = (path: string): void => {
    shop.versions.set(path, (shop.versions.get(path) ?? 0) + 1);
  };

  test('pages are hits there, and clients see none of its headers', async () => {
    const first = await get(`${folder}/a`);
    expect(first.varnish).toBe('miss');
    const second = await get(`${folder}/a`, { cookie: 'session=1', 'cache-control': 'no-cache' });
    expect(second.varnish).toBe('hit');
    expect(second.text).toBe(first.text);
    expect(second.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    for (const name of ['xkey', 'cdn-cache-control', 'ng-swr', 'surrogate-key', 'cache-tag']) {
      expect(second.headers.get(name), name).toBeNull();
    }
    const etag = second.headers.get('etag')!;
    expect((await get(`${folder}/a`, { 'if-none-match': etag })).status).toBe(304);
    expect((await ask(`${varnish.url}${folder}/a`, {}, 'HEAD')).varnish).toBe('hit');
  });

  test('each encoding is a variant of its own', async () => {
    await get(`${folder}/a`, { 'accept-encoding': 'br' });
    await get(`${folder}/a`, { 'accept-encoding': 'gzip;q=0.5' });
    const encoded = await get(`${folder}/a`, { 'accept-encoding': 'gzip, deflate, br, zstd' });
    expect(encoded.varnish).toBe('hit');
    expect(encoded.headers.get('content-encoding')).toBe('br');
    const gzip = await get(`${folder}/a`, { 'accept-encoding': 'br;q=0, gzip' });
    expect(gzip.varnish).toBe('hit');
    expect(gzip.headers.get('content-encoding')).toBe('gzip');
    expect(
      (await get(`${folder}/a`, { 'accept-encoding': 'identity' })).headers.get('content-encoding'),
    ).toBeNull();
  });

  test('a hard purge by path, prefix or tag leaves nothing old', async () => {
    const { cache } = shop.server;
    const paths = ['/a', '/a/b', '/c'].map((path) => folder + path);
    const refetched = async (): Promise<string[]> => {
      const answers = await Promise.all(paths.map((path) => get(path)));
      expect(answers.map(({ page }) => page.version)).toEqual(
        paths.map((path) => shop.versions.get(path) ?? 0),
      );
      return answers
        .filter(({ varnish }) => varnish !== 'hit')
        .map(({ page }) => page.path.slice(folder.length));
    };
    await refetched();
    expect(await refetched()).toEqual([]);
    const [a] = paths;
    change(a!);
    await get(`${a}?query=1`);
    await cache.purge({ path: `${a}/`, hard: true });
    expect(await refetched()).toEqual(['/a']);
    expect((await get(`${a}?query=1`)).page.version).toBe(1);
    change(paths[1]!);
    await cache.purge({ prefix: `${folder}/a/`, hard: true });
    expect(await refetched()).toEqual(['/a/b']);
    for (const path of paths) change(path);
    await cache.purge({ tag: 'all', hard: true });
    expect(await refetched()).toEqual(['/a', '/a/b', '/c']);
    change(paths[2]!);
    await cache.purge({ tag: `page:${paths[2]}`, hard: true });
    expect(await refetched()).toEqual(['/c']);
    for (const path of paths) change(path);
    await cache.purge({ prefix: '/har', hard: true });
    expect(await refetched()).toEqual(['/a', '/a/b', '/c']);
  });

  test('a soft purge leaves the page to grace while it is fetched again', async () => {
    const path = `/soft/${tests}`;
    await get(path);
    change(path);
    await shop.server.cache.purge({ path });
    const stale = await get(path);
    expect(stale.page.version).toBe(0);
    expect(stale.varnish).toBe('hit');
    await expect.poll(async () => (await get(path)).page.version).toBe(1);
    await expect.poll(async () => (await get(path)).varnish).toBe('hit');
  });

  test('stale-while-revalidate is grace', async () => {
    const first = await get('/short');
    await expect
      .poll(async () => (await get('/short')).page.render)
      .toBeGreaterThan(first.page.render);
  });

  test('a page for one client, with a cookie or without a lifetime is not kept', async () => {
    for (const path of ['/account', '/session', '/api/time']) {
      const [first, second] = [await get(path), await get(path)];
      expect(first.varnish).toBe('bypass');
      expect(second.varnish).toBe('bypass');
    }
    expect((await get('/session')).headers.get('set-cookie')).toBe('id=1');
    const dark = await get('/themes', { cookie: 'theme=dark' });
    const light = await get('/themes', { cookie: 'theme=light' });
    expect([dark.varnish, light.varnish]).toEqual(['bypass', 'bypass']);
    await get(`${folder}/a`);
    expect((await get(`${folder}/a`, { authorization: 'Basic eDp5' })).varnish).not.toBe('hit');
  });

  test('pages that vary by a request header are variants', async () => {
    for (const language of ['de', 'fr']) {
      const headers = { 'accept-language': language };
      expect((await get('/languages', headers)).text).toContain(`"language":"${language}"`);
      const hit = await get('/languages', headers);
      expect(hit.varnish).toBe('hit');
      expect(hit.text).toContain(`"language":"${language}"`);
    }
  });

  test('what clients say about the host is no part of a page', async () => {
    const forged = { 'x-forwarded-host': 'evil.example', forwarded: 'host=evil.example' };
    await get(`${folder}/a`, { ...forged, 'ng-always-miss': '1', 'xkey-purge': 'all' });
    expect((await get(`${folder}/a`)).varnish).toBe('hit');
    expect((await get(`${folder}/a`, { 'ng-always-miss': '1' })).varnish).toBe('hit');
  });

  test('an unsafe request invalidates the page there', async () => {
    await get(`${folder}`);
    change(folder);
    expect((await ask(varnish.url + folder, {}, 'POST')).status).toBe(204);
    await expect.poll(async () => (await get(folder)).page.version).toBe(1);
  });

  test('a page that was purged while it rendered does not stay', async () => {
    let render = (): void => undefined;
    const isRendering = new Promise<void>((resolve) => {
      shop.onRender = () => {
        resolve();
        return new Promise<void>((go) => (render = go));
      };
    });
    const old = get(`${folder}/a`);
    await isRendering;
    shop.onRender = () => undefined;
    change(`${folder}/a`);
    await shop.server.cache.purge({ path: `${folder}/a`, hard: true });
    render();
    expect((await old).page.version).toBe(0);
    expect((await get(`${folder}/a`)).page.version).toBe(1);
  });

  test('no purge without the secret, from whatever address, and none without tags', async () => {
    await get(`${folder}/a`);
    const purge = (headers: Readonly<Record<string, string>>): Promise<Answered> =>
      ask(varnish.url, headers, 'PURGE');
    // As a proxy on this host forwards it: from a trusted address, and some add no X-Forwarded-For.
    const all = { 'xkey-purge': 'all' };
    for (const authorization of ['', 'Bearer', 'Bearer a-secret', `Basic ${PURGE_TOKEN}`]) {
      expect((await purge({ ...all, authorization })).status).toBe(403);
    }
    expect((await purge(all)).status).toBe(403);
    expect((await get(`${folder}/a`)).varnish).toBe('hit');
    const authorization = `Bearer ${PURGE_TOKEN}`;
    expect((await purge({ authorization })).status).toBe(400);
    expect((await purge({ authorization, 'xkey-purge': 'none' })).status).toBe(200);
  });

  test.each([null, 'short'])(
    'a varnishd with the secret %j can be purged by nobody',
    { timeout: START_MS },
    async (secret) => {
      const closed = await VarnishServer.reserve();
      onTestFinished(() => closed.stop());
      await closed.start(shop.port, secret);
      for (const headers of [{}, { authorization: `Bearer ${secret ?? ''}` }]) {
        const { status } = await ask(closed.url, { 'xkey-purge': 'all', ...headers }, 'PURGE');
        expect(status).toBe(403);
      }
    },
  );

  test('more tags than one request takes are all purged', async () => {
    const paths = Array.from({ length: 210 }, (_, i) => `${folder}/${i}`);
    for (const path of paths) await get(path);
    for (const path of paths) change(path);
    await Promise.all(paths.map((path) => shop.server.cache.purge({ path, hard: true })));
    for (const path of paths) expect((await get(path)).page.version).toBe(1);
  });

  test(`no read after a purge gets an older page: seed ${SEED}`, async () => {
    const report = await storm(shop, varnish.url, SEED, 24, 8);
    expect(report.hits).toBeGreaterThan(0);
  });
});
