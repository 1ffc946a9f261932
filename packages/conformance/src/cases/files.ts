import { expect } from 'vitest';
import { headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, expectNoSecret, expectWhole, listMembers } from '../expectations.ts';
import { stubPage } from '../stub-pages.ts';

const IMMUTABLE = 'public, max-age=31536000, immutable';

interface ExpectedFile {
  /** Its name within the case name, where the path is not ASCII. */
  readonly label?: string;
  readonly target: string;
  readonly type: string | RegExp;
  readonly cacheControl?: string;
  /** Whether it varies by Accept-Encoding. Default: true; null where servers may differ. */
  readonly compressible?: boolean | null;
}

const HELD: Readonly<Record<string, ExpectedFile>> = {
  'main-ABCDEFG2.js': {
    target: '/main-ABCDEFG2.js',
    type: /^(text|application)\/javascript; charset=utf-8$/,
    cacheControl: IMMUTABLE,
  },
  'styles-QWERTY23.css': {
    target: '/styles-QWERTY23.css',
    type: 'text/css; charset=utf-8',
    cacheControl: IMMUTABLE,
  },
  'favicon.ico': {
    target: '/favicon.ico',
    type: /^image\/(x-icon|vnd\.microsoft\.icon)$/,
    compressible: null,
  },
  'robots.txt': { target: '/robots.txt?v=1', type: 'text/plain; charset=utf-8' },
  'assets/data.json': {
    target: '/assets/data.json',
    type: /^application\/json(; charset=utf-8)?$/,
  },
  'assets/logo.png': { target: '/assets/logo.png', type: 'image/png', compressible: false },
  '.well-known/security.txt': {
    target: '/.well-known/security.txt',
    type: 'text/plain; charset=utf-8',
  },
  'price list äöü.txt': {
    label: 'a file with spaces and umlauts in its name',
    target: '/price%20list%20%C3%A4%C3%B6%C3%BC.txt',
    type: 'text/plain; charset=utf-8',
  },
  'x.txt': { target: '/x.txt', type: 'text/plain; charset=utf-8' },
};

/** A text, bytes without an encoding, a name that is not ASCII, and one that frameworks may take for hidden. */
const OF_EACH_KIND = new Set([
  'main-ABCDEFG2.js',
  'assets/logo.png',
  'price list äöü.txt',
  '.well-known/security.txt',
]);

/** Built files: types, lifetimes, files that are never served, and large files. */
export const files = caseFile({ file: 'files', core: true }, (add) => {
  for (const [file, expected] of Object.entries(HELD)) {
    add(
      `${expected.label ?? file} is served with its type and lifetime`,
      async ({ get, site, engine }) => {
        const response = await get(expected.target);
        expectWhole(response, site.read(file));
        const type = headerOf(response, 'content-type')?.toLowerCase();
        if (typeof expected.type === 'string') expect(type).toBe(expected.type);
        else expect(type).toMatch(expected.type);
        expect(headerLines(response, 'cache-control')).toEqual([
          expected.cacheControl ?? 'public, max-age=0, must-revalidate',
        ]);
        expect(headerOf(response, 'cache-status')).toMatch(/^ng-ssr; hit\b/);
        expect(headerOf(response, 'accept-ranges')).toBe('bytes');
        const { compressible = true } = expected;
        const varies = listMembers(response, 'vary').includes('accept-encoding');
        // Such a short text may be left unencoded, and then has no Vary.
        if (response.body.length > 1_024 && compressible !== null)
          expect(varies).toBe(compressible);
        expect(engine.renders()).toBe(0);
      },
      { core: !OF_EACH_KIND.has(file) },
    );
  }

  add(
    'an empty file is a 200 of length 0',
    async ({ get }) => {
      const response = await get('/assets/empty.txt', { 'accept-encoding': 'br, gzip' });
      expect(response.status).toBe(200);
      expect(decodedBody(response)).toHaveLength(0);
      expect(headerOf(response, 'content-length')).toBe(String(response.body.length));
    },
    { core: false },
  );

  add('a text with a precompressed neighbour decodes to its own bytes', async ({ get, site }) => {
    const response = await get('/x.txt', { 'accept-encoding': 'br' });
    expect(headerOf(response, 'content-encoding')).toBe('br');
    expectWhole(response, site.read('x.txt'));
  });

  const unserved = [
    '/.env',
    '/assets/.htpasswd',
    '/link-outside',
    '/link-outside.txt',
    '/linked-folder/secret.txt',
    '/prerendered-routes.json',
    '/secret.txt',
  ];
  for (const target of unserved) {
    add(`${target} is not served`, async ({ get, engine }) => {
      const response = await get(target);
      expectNoSecret(response);
      expect(response.status).toBe(404);
      expect(decodedBody(response).toString()).toBe(stubPage('Not found'));
      expect(engine.renders(target)).toBe(1);
    });
  }

  add(
    "a folder without a page is the engine's",
    async ({ get, engine }) => {
      for (const target of ['/assets', '/assets/']) expect((await get(target)).status).toBe(404);
      expect(engine.renders()).toBe(2);
    },
    { core: false },
  );

  add(
    'with little memory everything is still served',
    async ({ get, site, engine }) => {
      const targets: Record<string, string> = {
        '/': 'index.html',
        '/about': 'about/index.html',
        '/guide': 'guide/index.html',
        '/main-ABCDEFG2.js': 'main-ABCDEFG2.js',
        '/assets/logo.png': 'assets/logo.png',
        '/x.txt': 'x.txt',
      };
      for (const [target, file] of Object.entries(targets)) {
        const response = await get(target);
        expect(response.status, target).toBe(200);
        expect(decodedBody(response).equals(site.read(file)), target).toBe(true);
      }
      expect(engine.renders()).toBe(0);
    },
    { profile: 'little memory', parity: false },
  );
});
