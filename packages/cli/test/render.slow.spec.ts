import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { AskedProgram } from '../dist/doctor/facts/asked-program.js';
import { makeRoot, writeSite } from './doctor-site.ts';
import { BIN } from './ng-ssr.ts';

const SQLITE = pathToFileURL(join(import.meta.dirname, '../../sqlite/dist/index.js')).href;
const SITE = 'https://shop.example';

/** The engine tells the API of each render. */
const ENGINE = `
import { sqlitePageStore } from ${JSON.stringify(SQLITE)};
const shared = withSharedStore(sqlitePageStore({ file: process.env.PAGES, maxBytes: 2 ** 25, timeoutMs: 5000 }));
const counted = async (request) => {
  const { pathname } = new URL(request.url);
  const { status } = await fetch(process.env.API + pathname);
  if (pathname === '/killed') process.kill(process.pid, 'SIGKILL');
  if (pathname === '/spins') {
    process.stderr.write('spins: ' + process.pid);
    for (;;);
  }
  return new Response('<!doctype html>' + pathname, { status, headers: {
    'content-type': 'text/html', 'cache-control': CONTROL[pathname] ?? 'max-age=3600' } });
};
const CONTROL = { '/own': 'private', '/stale': 'max-age=0, stale-while-revalidate=3600' };
`;
const OPTIONS = 'engine: counted, features: [shared],';

interface Ended {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

describe('ng-ssr render', () => {
  let root: string;
  let api: Server;
  let origin: string;
  let workspace: string;
  /** The paths of the renders. */
  const rendered: string[] = [];
  const sitemaps = new Map<string, string | Buffer>();
  let onRender: (() => void) | undefined;
  /** What renders wait for. */
  let held: Promise<unknown> | undefined;

  beforeAll(async () => {
    root = await makeRoot();
    api = createServer(async ({ url }, response) => {
      const sitemap = sitemaps.get(url!);
      if (sitemap !== undefined) return void response.end(sitemap);
      rendered.push(url!);
      response.statusCode = url === '/broken' ? 500 : 200;
      onRender?.();
      await held;
      response.end();
    });
    await once(api.listen(0, '127.0.0.1'), 'listening');
    origin = `http://127.0.0.1:${(api.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    api.close();
    rmSync(root, { recursive: true, force: true });
  });
  beforeEach(() => {
    rendered.length = 0;
    onRender = held = undefined;
    workspace = writeSite(root, { before: ENGINE, options: OPTIONS });
  });

  const environment = (): NodeJS.ProcessEnv => {
    return { ...process.env, API: origin, PAGES: join(workspace, 'pages.db') };
  };

  function start(...args: readonly string[]): ChildProcess {
    return spawn(process.execPath, [BIN, 'render', 'dist/shop', ...args], {
      cwd: workspace,
      env: environment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    });
  }

  async function end(child: ChildProcess): Promise<Ended> {
    const outputs = Promise.all([text(child.stdout!), text(child.stderr!)]);
    const [status] = (await once(child, 'exit')) as [number | null];
    const [stdout, stderr] = await outputs;
    return { status, stdout, stderr };
  }

  const run = (...args: readonly string[]): Promise<Ended> => end(start(...args));

  function sitemapOf(paths: readonly string[], lastmod = ''): string {
    const urls = paths.map((path) => `<url><loc>${SITE}${path}</loc>${lastmod}</url>`);
    return `<urlset>${urls.join('\n')}</urlset>`;
  }

  test('renders pages that the store does not have, and names those that it cannot get', async () => {
    sitemaps.set('/sitemap.xml', sitemapOf(['/a', '/b', '/broken']));
    const args = [
      '--sitemap',
      `${origin}/sitemap.xml`,
      '--url',
      `${SITE}/own`,
      '--url',
      `${SITE}/a`,
    ];
    const first = await run(...args);
    expect(first.stdout).toContain(`failed  ${SITE}/broken  status 500`);
    expect(first.stdout).toContain(`not stored  ${SITE}/own  Cache-Status: ng-ssr; fwd=uri-miss`);
    expect(first.stdout).toMatch(
      /\n4 pages: 2 rendered in .*, 0 cached before, 1 not stored, 1 failed\n$/,
    );
    expect(first.status).toBe(1);
    expect(rendered.toSorted()).toEqual(['/a', '/b', '/broken', '/own']);
    const others = ['--url', 'http://localhost/a', '--url', 'http://localhost/b', '--origin', SITE];
    const again = await run(...others, '--json');
    expect(again).toMatchObject({ status: 0, stderr: expect.any(String) as string });
    expect(JSON.parse(again.stdout)).toMatchObject({
      ...{ pages: 2, rendered: 0, cached: 2, notStored: [], failed: [], left: 0 },
    });
    expect(rendered).toHaveLength(4);
  });

  test('a page that is older than its <lastmod> is rendered again, once', async () => {
    const pages = ['--url', `${SITE}/a`, '--url', `${SITE}/b`];
    await run(...pages);
    const changed = new Date().toISOString();
    sitemaps.set(
      '/changed.xml',
      sitemapOf(['/a'], `<lastmod>${changed}</lastmod>`) +
        sitemapOf(['/b'], '<lastmod>2020-01-01</lastmod>'),
    );
    const { stdout } = await run('--sitemap', `${origin}/changed.xml`, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ rendered: 1, cached: 1 });
    expect(rendered.toSorted()).toEqual(['/a', '/a', '/b']);
  });

  test('a <lastmod> in the future does not count', async () => {
    const future = new Date(Date.now() + 3_600_000).toISOString();
    sitemaps.set('/future.xml', sitemapOf(['/a', '/'], `<lastmod>${future}</lastmod>`));
    const args = ['--sitemap', `${origin}/future.xml`, '--json'];
    await run(...args);
    const { stdout } = await run(...args);
    expect(JSON.parse(stdout)).toMatchObject({ rendered: 0, cached: 2, notStored: [] });
    expect(rendered).toEqual(['/a']);
  });

  test('a stale page is rendered again', async () => {
    await run('--url', `${SITE}/stale`);
    const { stdout } = await run('--url', `${SITE}/stale`, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ rendered: 1, cached: 0 });
    expect(rendered).toEqual(['/stale', '/stale']);
  });

  test('when the program ends, the pages that it has not begun are left', async () => {
    const urls = ['/killed', '/a', '/b'].flatMap((path) => ['--url', SITE + path]);
    const { status, stdout } = await run(...urls, '--concurrency', '1', '--json');
    expect(JSON.parse(stdout)).toMatchObject({
      ...{ rendered: 0, left: 2 },
      failed: [{ url: `${SITE}/killed`, reason: 'the program exited with SIGKILL' }],
    });
    expect(status).toBe(1);
  });

  test('a second signal ends the command, and a program that hangs', async () => {
    const child = start('--url', `${SITE}/spins`);
    const ended = end(child);
    const [spins] = (await once(child.stderr!, 'data')) as [Buffer];
    child.kill('SIGINT');
    const again = setInterval(() => child.kill('SIGTERM'), 100);
    expect(await ended).toMatchObject({ status: 1 });
    clearInterval(again);
    const program = Number(/\d+/.exec(String(spins))![0]);
    // The kernel ends it after the command has sent SIGKILL.
    await expect.poll(() => isRunning(program)).toBe(false);
  });

  test('a program that does not come to listen is named', async () => {
    workspace = writeSite(root, {
      ...{ before: ENGINE, options: OPTIONS },
      after: 'await new Promise(() => setInterval(() => {}, 1000));',
    });
    const { status, stderr } = await run('--url', SITE, '--timeout', '1');
    expect(stderr).toContain('NG_SSR_START_FAILED: pages cannot be rendered: the program did not');
    expect(stderr).toContain('did not listen within 1 s');
    expect(status).toBe(1);
  });

  test('a program that is late takes no pages, also if this process has not noticed yet', async () => {
    workspace = writeSite(root, {
      ...{ before: ENGINE, options: OPTIONS },
      after: 'await new Promise(() => setInterval(() => {}, 1000));',
    });
    const program = new AskedProgram(
      join(workspace, 'dist/shop/server/server.mjs'),
      { file: undefined, page: undefined, render: undefined, isFilling: true, withinMs: 1500 },
      3_600_000,
      { cwd: workspace, env: environment() },
    );
    expect(await program.start()).toContain('the program did not listen within');
    await program.leave();
  });

  test('reads an index, and sitemaps with gzip', async () => {
    sitemaps.set(
      '/index.xml',
      `<sitemapindex><sitemap><loc>${origin}/1.xml.gz</loc></sitemap></sitemapindex>`,
    );
    sitemaps.set('/1.xml.gz', gzipSync(sitemapOf(['/packed'])));
    expect(await run('--sitemap', `${origin}/index.xml`)).toMatchObject({ status: 0 });
    expect(rendered).toEqual(['/packed']);
  });

  const many = Array.from({ length: 60 }, (_, at) => `/many/${at}`);

  test('after a signal it finishes what it has begun, and is continued by the next run', async () => {
    sitemaps.set('/many.xml', sitemapOf(many));
    const args = ['--sitemap', `${origin}/many.xml`, '--json', '--concurrency', '3'];
    const child = start(...args);
    // Both, as from a terminal and from npm, are one.
    onRender = () => rendered.length === 10 && child.kill('SIGINT') && child.kill('SIGTERM');
    const { status, stdout } = await end(child);
    const report = JSON.parse(stdout) as { readonly rendered: number; readonly left: number };
    expect(status).toBe(1);
    expect(report.rendered).toBe(rendered.length);
    expect(report.rendered + report.left).toBe(many.length);
    expect(report.left).toBeGreaterThan(0);
    expect(await run(...args)).toMatchObject({ status: 0 });
    expect(rendered.toSorted()).toEqual(many.toSorted());
  });

  test('killed three times, it renders each page once', async () => {
    sitemaps.set('/many.xml', sitemapOf(many));
    const args = ['--sitemap', `${origin}/many.xml`, '--json', '--concurrency', '4'];
    for (const count of [10, 25, 45]) {
      const child = start(...args);
      onRender = () => {
        if (rendered.length !== count) return;
        held = once(child, 'exit');
        child.kill('SIGKILL');
      };
      await end(child);
    }
    onRender = held = undefined;
    expect(await run(...args)).toMatchObject({ status: 0 });
    expect(rendered.toSorted()).toEqual(many.toSorted());
  });

  test('begins no more renders in a second than --rate', async () => {
    sitemaps.set('/rate.xml', sitemapOf(many.slice(0, 10)));
    const { stdout } = await run('--sitemap', `${origin}/rate.xml`, '--rate', '20/s', '--json');
    expect((JSON.parse(stdout) as { seconds: number }).seconds).toBeGreaterThan(0.44);
  });

  test.each([
    [['--url', '/a'], '--url is "/a"; allowed: a URL'],
    [[], 'pass --sitemap or --url'],
    [['--url', SITE, '--origin', `${SITE}/`], '--origin is "https://shop.example/"; allowed: an'],
    [['--url', SITE, '--rate', '50'], '--rate is "50"; allowed: as 50/s or 600/min'],
    [['--url', SITE, '--rate', '0/s'], '--rate is "0/s"'],
    [['--url', SITE, '--concurrency', '0'], '--concurrency is "0"; allowed: a whole number from 1'],
  ])('%j is refused', async (args, message) => {
    const { status, stderr } = await run(...args);
    expect({ status, stderr }).toEqual({
      status: 2,
      stderr: expect.stringContaining(message) as string,
    });
  });

  test.each([
    ['missing', 'NG_SSR_SITEMAP_INVALID', 'cannot be read: ENOENT'],
    ['empty', 'NG_SSR_SITEMAP_INVALID', 'lists no pages'],
    ['relative', 'NG_SSR_SITEMAP_INVALID', 'lists "/a", no URL'],
    ['nested', 'NG_SSR_SITEMAP_INVALID', 'is an index that another index lists'],
  ])('a sitemap that is %s is an error', async (name, code, message) => {
    sitemaps.set('/empty', '<urlset/>');
    sitemaps.set('/relative', '<urlset><url><loc>/a</loc></url></urlset>');
    sitemaps.set(
      '/nested',
      `<sitemapindex><sitemap><loc>${origin}/nested</loc></sitemap></sitemapindex>`,
    );
    const source = name === 'missing' ? './none.xml' : `${origin}/${name}`;
    const { status, stderr } = await run('--sitemap', source);
    expect(stderr).toContain(`${code}: the sitemap ${source} ${message}`);
    expect(status).toBe(1);
  });

  test('a server without a page store is refused, before it renders', async () => {
    workspace = writeSite(root, { before: ENGINE, options: 'engine: counted, features: [],' });
    const { status, stderr } = await run('--url', `${SITE}/a`);
    expect(stderr).toContain('pages cannot be rendered: the server has no page store');
    expect(status).toBe(1);
    expect(rendered).toEqual([]);
  });
});

function isRunning(id: number): boolean {
  try {
    return process.kill(id, 0);
  } catch {
    return false;
  }
}
