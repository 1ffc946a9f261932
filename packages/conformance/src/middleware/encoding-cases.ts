import { expect } from 'vitest';
import type { CaseContext } from '../case-context.ts';
import { headerOf, type ClientResponse } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, listMembers } from '../expectations.ts';
import { stubPage } from '../stub-pages.ts';
import { untilEncoded } from '../stored-expectations.ts';
import { askThrough } from './stack-headers.ts';

/** Accept-Encoding headers; ng-ssr never makes `deflate`, but compression middleware does. */
const ACCEPTED = [
  'identity',
  'br',
  'gzip',
  'deflate',
  'gzip, deflate, br, zstd',
  '*',
  'br;q=0, gzip',
];

const STORED = '/stored/page/encoded';

/** Earlier compression middleware: each content is encoded once, and a tag never stands for other bytes. */
export const encodingCases = caseFile('middleware encodings', (add) => {
  const targets: Readonly<Record<string, readonly [target: string, file: string | null]>> = {
    'a page': ['/about', 'about/index.html'],
    'a hashed file': ['/main-ABCDEFG2.js', 'main-ABCDEFG2.js'],
    'a file too small to be encoded': ['/robots.txt', 'robots.txt'],
    'bytes that are encoded already': ['/assets/logo.png', 'assets/logo.png'],
    'a large file': ['/assets/prices.csv', 'assets/prices.csv'],
    'a rendered page': ['/rendered', null],
    'a page that the application encoded': ['/weird', null],
    'a stored page': [STORED, null],
  };
  const titles: Readonly<Record<string, string>> = {
    '/rendered': 'Rendered',
    '/weird': 'Encoded by the app',
    [STORED]: `Page ${STORED}, render 1`,
  };

  for (const [label, [target, file]] of Object.entries(targets)) {
    add(`${label} is encoded at most once`, async (context) => {
      const bytes = file ? context.site.read(file) : Buffer.from(stubPage(titles[target] ?? ''));
      for (const accepted of ACCEPTED) {
        const headers = { 'accept-encoding': accepted };
        const response = await askThrough(context, { target, headers });
        expect(response.status, accepted).toBe(200);
        expect(decodedBody(response).equals(bytes), accepted).toBe(true);
        const length = headerOf(response, 'content-length');
        if (length !== undefined) expect(length).toBe(String(response.body.length));
        const encoding = headerOf(response, 'content-encoding');
        if (encoding !== undefined && target !== '/weird') {
          expect(listMembers(response, 'vary')).toContain('accept-encoding');
          if (!accepted.includes('*')) expect(accepted).toContain(encoding);
        }
      }
    });

    // RFC 9110 section 8.8.1: a strong validator changes with every change of the content.
    add(`a strong tag of ${label} stands for one sequence of bytes`, async (context) => {
      await settle(context, target);
      const tagged = new Map<string, ClientResponse>();
      for (const accepted of ACCEPTED) {
        const headers = { 'accept-encoding': accepted };
        const response = await askThrough(context, { target, headers });
        const tag = headerOf(response, 'etag');
        if (tag === undefined || tag.startsWith('W/')) continue;
        const first = tagged.get(tag) ?? response;
        tagged.set(tag, first);
        expect(response.body.equals(first.body), accepted).toBe(true);
      }
    });

    add(`${label} with its tag is a 304 for each client`, async (context) => {
      await settle(context, target);
      for (const accepted of ACCEPTED) {
        const headers = { 'accept-encoding': accepted };
        const tag = headerOf(await askThrough(context, { target, headers }), 'etag');
        if (tag === undefined) continue;
        const condition = { ...headers, 'if-none-match': tag };
        const response = await askThrough(context, { target, headers: condition });
        expect(response.status, accepted).toBe(304);
        expect(response.body).toHaveLength(0);
      }
    });
  }

  for (const target of ['/about', '/main-ABCDEFG2.js', '/assets/prices.csv', '/assets/chair.glb']) {
    // RFC 9110 section 14.4: a part is of the selected representation, its encoding included.
    add(`a part of ${target} is of the whole that the same client gets`, async (context) => {
      for (const accepted of ACCEPTED) {
        const headers = { 'accept-encoding': accepted };
        const part = await askThrough(context, {
          target,
          headers: { ...headers, range: 'bytes=10-59' },
        });
        if (part.status === 200) continue;
        expect(part.status, accepted).toBe(206);
        expect(part.body, accepted).toHaveLength(50);
        expect(headerOf(part, 'content-range'), accepted).toMatch(/^bytes 10-59\//);
        const whole = await askThrough(context, { target, headers });
        const tag = headerOf(part, 'etag');
        if (tag === undefined || tag.startsWith('W/') || tag !== headerOf(whole, 'etag')) continue;
        expect(part.body.equals(whole.body.subarray(10, 60)), accepted).toBe(true);
      }
    });
  }
});

/** Repeats the request until a stored page has its encodings; from then on its tags do not change. */
async function settle(context: CaseContext, target: string): Promise<void> {
  await askThrough(context, { target });
  if (target === STORED) await untilEncoded((request) => askThrough(context, request), target);
}
