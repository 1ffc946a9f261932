import { expect } from 'vitest';
import { type ClientResponse, headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectNoSecret, expectWhole } from '../expectations.ts';
import { earlierFiles } from '../fixture-content.ts';
import { stubPage } from '../stub-pages.ts';

/** The tag of a large file is weak, and so no part of what `expectWhole` expects. */
function expectContent(response: ClientResponse, bytes: Buffer): void {
  expect(response.status).toBe(200);
  expect(headerOf(response, 'content-length')).toBe(String(bytes.length));
  expect(response.body.equals(bytes)).toBe(true);
}

/** One that is held, and one that is read from disk while it is sent. */
const SENT_IN_BOTH_WAYS = new Set(['main-EARLIER2.js', 'chunk-EARLIER7.js']);

const IMMUTABLE = 'public, max-age=31536000, immutable';

/** Files of other builds, those that no build has, and the version of the server's own. */
export const builds = caseFile({ file: 'builds', core: true }, (add) => {
  const profile = { profile: 'other builds' } as const;
  const earlier = (path: string): Buffer => Buffer.from(earlierFiles().get(path)!);

  for (const [path, type] of [
    ['main-EARLIER2.js', /javascript/],
    ['styles-EARLIER3.css', /css/],
    ['sv/main-EARLIER4.js', /javascript/],
    ['media/face-EARLIER5.woff2', /woff2/],
    ['chunk-EARLIER7.js', /javascript/],
  ] as const) {
    add(
      `${path} of an earlier build is answered like an own file`,
      async ({ get, request, engine }) => {
        // The first request finds the file, later ones have it.
        for (let time = 1; time <= 2; time++) {
          const response = await get(`/${path}`);
          expectContent(response, earlier(path));
          expect(headerOf(response, 'content-type')).toMatch(type);
          expect(headerLines(response, 'cache-control')).toEqual([IMMUTABLE]);
          const tag = headerOf(response, 'etag')!;
          const again = await get(`/${path}`, { 'if-none-match': tag });
          expect(again.status).toBe(304);
        }
        const part = await get(`/${path}`, { range: 'bytes=1-3' });
        expect([part.status, String(part.body)]).toEqual([
          206,
          earlier(path).subarray(1, 4).toString(),
        ]);
        const head = await request({ method: 'HEAD', target: `/${path}` });
        expect([head.status, head.body.length]).toEqual([200, 0]);
        expect(engine.renders()).toBe(0);
      },
      { ...profile, parity: false, core: !SENT_IN_BOTH_WAYS.has(path) },
    );
  }

  add(
    'no file of an earlier build replaces an own one',
    async ({ get, site }) => {
      expectWhole(await get('/main-ABCDEFG2.js'), site.read('main-ABCDEFG2.js'));
      expectWhole(await get('/robots.txt'), site.read('robots.txt'));
    },
    profile,
  );

  add(
    'of an earlier build nothing is answered but files with a hash in their name',
    async ({ get, engine }) => {
      expect((await get('/earlier.txt')).status).toBe(404);
      expect(engine.renders('/earlier.txt')).toBe(1);
      for (const target of ['/main-EARLIER2.js.map', '/.env-EARLIER6.js']) {
        const response = await get(target);
        expectNoSecret(response);
        expect(response.status).toBe(404);
      }
    },
    profile,
  );

  const expectMissing = (response: ClientResponse): void => {
    expect(response.status).toBe(404);
    expect(headerLines(response, 'cache-control')).toEqual(['no-store']);
    expect(headerOf(response, 'content-type')).toBe('text/plain; charset=utf-8');
    expect(headerLines(response, 'etag')).toEqual([]);
    expect(String(response.body)).toBe('404 Not Found\n');
  };

  for (const target of [
    '/main-MISSING2.js',
    '/chunk-aB_-90xy.js',
    '/styles-MISSING3.css?v=1',
    '/main-MISSING2.js.map',
    '/%6dain-MISSING2.js',
  ]) {
    for (const traits of [{}, profile]) {
      const where = traits === profile ? ' in other builds too' : '';
      add(
        `${target} is missing${where}: a short 404 that nothing stores`,
        async ({ get, request, engine }) => {
          expectMissing(await get(target, { accept: 'text/html' }));
          const head = await request({ method: 'HEAD', target });
          expect([head.status, head.body.length]).toEqual([404, 0]);
          expect(headerLines(head, 'cache-control')).toEqual(['no-store']);
          expect(engine.renders()).toBe(0);
        },
        { ...traits, core: target !== '/main-MISSING2.js' },
      );
    }
  }

  add(
    'a missing file is a short text where a page for errors is, too',
    async ({ get, engine }) => {
      expectMissing(await get('/main-MISSING2.js', { accept: 'text/html' }));
      expect(engine.renders()).toBe(0);
    },
    { profile: 'error pages' },
  );

  for (const target of [
    // No folder of the build has such files there.
    '/articles/main-MISSING2.js',
    '/main.js',
    '/my-document.js',
    '/main-MISSING2.html',
    '/main-MISSING2',
    '/chunk-aB_-90x.js',
    '/main-MISSING2.js/about',
  ]) {
    add(
      `${target} is a page of the engine's`,
      async ({ get, engine }) => {
        const response = await get(target);
        expect(String(response.body)).toBe(stubPage('Not found'));
        expect(engine.renders(target)).toBe(1);
      },
      profile,
    );
  }

  add(
    'no spelling of a path leads out of a build',
    async ({ get }) => {
      for (const target of [
        '/%2e%2e/earlier/browser/main-EARLIER2.js',
        '/..%2fearlier%2fbrowser%2fmain-EARLIER2.js',
        '/sv/..%5cmain-EARLIER2.js',
        '/.%00/main-EARLIER2.js',
        '/%ff/main-EARLIER2.js',
      ]) {
        const { status } = await get(target);
        expect([400, 404], target).toContain(status);
      }
    },
    { ...profile, parity: false, core: false },
  );

  add('the server says which build it has', async ({ get, request, engine }) => {
    for (const target of ['/_ng-ssr/version', '/_ng-ssr/version?t=1', '/sv/_ng-ssr/version']) {
      const response = await get(target);
      expect(response.status).toBe(200);
      expect(headerOf(response, 'content-type')).toBe('application/json');
      expect(headerLines(response, 'cache-control')).toEqual(['no-store']);
      expect(headerLines(response, 'etag')).toEqual([]);
      const version: unknown = JSON.parse(String(response.body));
      expect(version).toEqual({
        build: expect.stringMatching(/^[0-9a-f]{16}$/),
        main: ['main-ABCDEFG2.js'],
      });
    }
    const head = await request({ method: 'HEAD', target: '/_ng-ssr/version' });
    expect([head.status, head.body.length]).toEqual([200, 0]);
    expect(engine.renders()).toBe(0);
  });
});
