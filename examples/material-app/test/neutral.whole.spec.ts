import { execFile } from 'node:child_process';
import { cp, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { brotliDecompressSync } from 'node:zlib';
import { type ClientResponse, createHttp1Client, headerOf } from '@ng-ssr/conformance';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { fileShownIn } from '../../../packages/schematics/test/deploy-page.ts';
import {
  missingWorkerd,
  startWorkerd,
  type Workerd,
} from '../../../packages/fetch/test/workerd/start-workerd.ts';

const repository = fileURLToPath(new URL('../../..', import.meta.url));
const output = join(repository, 'examples/material-app/dist/neutral');
const ng = fileURLToPath(import.meta.resolve('@angular/cli/bin/ng.js'));
const command = join(repository, 'packages/fetch/bin/ng-ssr.js');
const run = promisify(execFile);

/** The Worker of docs/deploy/workers.md, with a purge. */
const WITH_PURGE = `
  import worker from './worker.mjs';
  export default {
    async fetch(request, env, context) {
      const { pathname, searchParams } = new URL(request.url);
      if (pathname !== '/_purge') return worker.fetch(request, env, context);
      await worker.fetch.cache.purge({ path: searchParams.get('path') });
      return new Response('purged');
    },
  };`;

describe.skipIf(missingWorkerd !== undefined)(
  `the build for platforms without Node's modules, on workerd${missingWorkerd ? `: ${missingWorkerd}` : ''}`,
  () => {
    let folder: string;
    let worker: Workerd;
    let get: (path: string, headers?: Record<string, string>) => Promise<ClientResponse>;

    beforeAll(async () => {
      await run(process.execPath, [ng, 'build', 'app', '-c', 'production,neutral'], {
        cwd: repository,
      });
      await run(process.execPath, [command, 'pack', output, '--manifest']);
      folder = await mkdtemp(join(tmpdir(), 'ng-ssr-worker-'));
      // As wrangler does with no_bundle: all modules of the build as they are.
      await cp(join(output, 'server'), join(folder, 'server'), { recursive: true });
      await cp(join(output, 'ng-ssr'), join(folder, 'ng-ssr'), { recursive: true });
      await writeFile(join(folder, 'worker.mjs'), fileShownIn('workers.md', 'worker.mjs', 'fetch'));
      await writeFile(join(folder, 'with-purge.mjs'), WITH_PURGE);
      const files = await readdir(folder, { recursive: true });
      const others = files.filter((name) => name.endsWith('.mjs') && name !== 'with-purge.mjs');
      worker = await startWorkerd(folder, ['with-purge.mjs', ...others], join(output, 'browser'));
      const client = createHttp1Client(worker.port);
      get = (path, headers = {}) =>
        client.request({ target: path, headers: { host: 'localhost', ...headers } });
    }, 180_000);

    afterAll(async () => {
      await worker?.close();
      if (folder !== undefined) await rm(folder, { recursive: true });
    });

    test('a prerendered page has its bytes, tag and encodings', async () => {
      const page = await get('/about');
      expect(page.status).toBe(200);
      expect(page.body.equals(await readFile(join(output, 'browser/about/index.html')))).toBe(true);
      const encoded = await get('/about', { 'accept-encoding': 'gzip, br' });
      expect(headerOf(encoded, 'content-encoding')).toBe('br');
      expect(brotliDecompressSync(encoded.body).equals(page.body)).toBe(true);
      const tag = headerOf(encoded, 'etag')!;
      const again = await get('/about', { 'accept-encoding': 'gzip, br', 'if-none-match': tag });
      expect([again.status, headerOf(again, 'etag'), again.body.length]).toEqual([304, tag, 0]);
    });

    test('a small file comes from the manifest, a large one from the platform', async () => {
      const small = await get('/robots.txt');
      expect(small.body.equals(await readFile(join(output, 'browser/robots.txt')))).toBe(true);
      expect(headerOf(small, 'cache-status')).toBe('ng-ssr; hit');
      const page = (await get('/about')).body.toString();
      const [, script] = /(\/?main-\w+\.js)/.exec(page)!;
      const path = `/${script!.replace('/', '')}`;
      const large = await get(path);
      expect(large.body.equals(await readFile(join(output, 'browser', path)))).toBe(true);
      expect(headerOf(large, 'cache-control')).toBe('public, max-age=31536000, immutable');
      const tag = headerOf(large, 'etag')!;
      expect((await get(path, { 'if-none-match': tag })).status).toBe(304);
    });

    test('a rendered page is stored, and refreshed in the background when it is stale', async () => {
      const first = await get('/products/1');
      expect(first.status).toBe(200);
      expect(first.body.toString()).toContain('ng-server-context="ssr"');
      expect(headerOf(first, 'cache-status')).toMatch(/fwd=uri-miss; stored/);
      const hit = await get('/products/1');
      expect(headerOf(hit, 'cache-status')).toMatch(/^ng-ssr; hit; ttl=\d/);
      expect(hit.body.equals(first.body)).toBe(true);
      await get('/_purge?path=/products/1');
      const stale = await get('/products/1');
      expect(headerOf(stale, 'cache-status')).toMatch(/^ng-ssr; hit; ttl=-?\d/);
      expect(stale.body.equals(first.body)).toBe(true);
      await vi.waitFor(async () => {
        const fresh = await get('/products/1');
        expect(headerOf(fresh, 'cache-status')).toMatch(/^ng-ssr; hit; ttl=[1-9]/);
      });
    });

    test('other answers are those of Node', async () => {
      const old = await get('/old');
      expect([old.status, headerOf(old, 'location')]).toEqual([302, '/about']);
      expect((await get('/gone')).status).toBe(410);
      expect((await get('/about', { host: 'evil.example' })).status).toBe(400);
      const failed = await get('/boom');
      expect(failed.status).toBe(500);
      expect(failed.body.toString()).not.toContain('on purpose');
      expect(worker.printed()).toContain('NG_SSR_RENDER_FAILED');
      expect((await get('/client')).body.toString()).not.toContain('ng-server-context');
    });
  },
);
