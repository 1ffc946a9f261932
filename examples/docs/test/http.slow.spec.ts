import MiniSearch from 'minisearch';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { find } from '../src/app/search/find.ts';
import { FIELDS, type SearchEntry } from '../src/app/search/search-entry.ts';
import { SUGGESTIONS } from '../src/app/search/suggestions.ts';
import { type BuiltSite, contentsRoutes, startSite } from './built-site.ts';
import { findBroken, readDocument, type SiteDocument } from './site-documents.ts';

let site: BuiltSite;
/** Every page of the sitemap, by its route. */
let documents: ReadonlyMap<string, SiteDocument>;

beforeAll(async () => {
  site = await startSite();
  const sitemap = await (await fetch(`${site.origin}/sitemap.xml`)).text();
  const urls = [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url!));
  const read = urls.map(
    async ({ pathname }) => [pathname, await readDocument(site.origin, pathname)] as const,
  );
  documents = new Map(await Promise.all(read));
});
afterAll(() => site?.stop());

describe('the pages', () => {
  it('are those of the contents, the packages and their API, and each is a hit', () => {
    expect(contentsRoutes().filter((route) => !documents.has(route))).toEqual([]);
    expect([...documents.keys()]).toEqual(
      expect.arrayContaining(['/', '/packages/koa', '/api/core']),
    );
    const answers = [...documents.values()].map(
      ({ route, status, headers }) => `${route} ${status} ${headers.get('cache-status')}`,
    );
    expect(answers.filter((answer) => !answer.endsWith(' 200 ng-ssr; hit'))).toEqual([]);
  });

  it('lead to pages, files and headings that exist', async () => {
    expect(await findBroken(site.origin, documents)).toEqual([]);
  });

  it('have each anchor of an option once', () => {
    const { html } = documents.get('/options')!;
    const ids = [...html.matchAll(/\sid="([^"]+)"/g)].map(([, id]) => id!);
    expect(ids.filter((id, at) => ids.indexOf(id) !== at)).toEqual([]);
    expect(ids).toEqual(expect.arrayContaining(['cache-maxbytes', 'routerulespath']));
  });

  it('have one title, a description, and their own address', () => {
    for (const { route, html } of documents.values()) {
      expect(html.match(/<h1[ >]/g), route).toHaveLength(1);
      expect(html, route).toMatch(/<meta name="description" content="[^"]{20,}/);
      expect(html, route).toContain(`<link rel="canonical" href="http://localhost:4300${route}">`);
      expect(html, route).toMatch(/<meta property="og:title" content="[^"]+/);
    }
  });

  it('have the security headers on hits, and no style or handler that the policy forbids', () => {
    for (const { route, html, headers } of documents.values()) {
      const policy = headers.get('content-security-policy');
      expect(policy, route).toMatch(/script-src 'self'( 'sha256-[^']+')+; style-src 'self';/);
      expect(policy, route).not.toContain('unsafe');
      expect(headers.get('x-content-type-options'), route).toBe('nosniff');
      expect(html, route).not.toMatch(/<style|<[^>]+ (style|on\w+)=/);
    }
  });

  it('say how long the answer took, on a 304 too', async () => {
    const timing = /^answer;desc="ng-ssr; hit";dur=\d+\.\d+$/;
    // Without an encoding: those are made after the start, and have tags of their own.
    const ask = (tag: string): Promise<Response> =>
      fetch(`${site.origin}/caching`, {
        headers: { 'Accept-Encoding': 'identity', 'If-None-Match': tag },
      });
    const first = await ask('"another"');
    expect(first.status).toBe(200);
    expect(first.headers.get('server-timing')).toMatch(timing);
    const again = await ask(first.headers.get('etag')!);
    expect(again.status).toBe(304);
    expect(again.headers.get('server-timing')).toMatch(timing);
  });
});

describe('the files beside the pages', () => {
  const read = async (path: string): Promise<string> => {
    const response = await fetch(`${site.origin}${path}`);
    expect(response.status, path).toBe(200);
    return response.text();
  };

  it('are the Markdown of each page', async () => {
    for (const route of documents.keys()) {
      const markdown = await read(route === '/' ? '/index.md' : `${route}.md`);
      expect(markdown, route).toMatch(/^# /m);
    }
    const { headers } = await fetch(`${site.origin}/caching.md`);
    expect(headers.get('content-type')).toMatch('text/markdown');
  });

  it('are llms.txt with a link to each page, and llms-full.txt with all of them', async () => {
    const list = await read('/llms.txt');
    expect(list).toMatch(/^# ng-ssr\n\n> .+\n\n## Start\n\n- \[/);
    const whole = await read('/llms-full.txt');
    for (const route of documents.keys()) {
      if (route !== '/') expect(list).toContain(`(http://localhost:4300${route}.md)`);
      expect(whole).toContain(`<!-- http://localhost:4300${route} -->`);
    }
  });

  it('are robots.txt and the index of the search', async () => {
    expect(await read('/robots.txt')).toContain('Sitemap: http://localhost:4300/sitemap.xml');
    expect(JSON.parse(await read('/search.json'))).toMatchObject({ fieldIds: { heading: 1 } });
  });
});

describe('the search', () => {
  let index: MiniSearch<SearchEntry>;

  beforeAll(async () => {
    const response = await fetch(`${site.origin}/search.json`);
    index = MiniSearch.loadJSON(await response.text(), FIELDS);
  });

  it.each([
    ['isr', '/caching'],
    ['revalidate', '/caching'],
    ['swr', '/caching'],
    ['cluster', '/deploy/cluster'],
    ['workers', '/threads'],
    ['pm2', '/deploy/pm2'],
    ['docker', '/deploy/docker'],
    ['404', '/page-errors'],
    ['window is not defined', '/page-errors'],
    ['csp', '/security'],
    ['helmet', '/security'],
    ['gzip', '/compression'],
    ['brotli', '/compression'],
    ['kubernets', '/deploy/kubernetes'],
    ['compression', '/compression'],
    ['port in use', '/troubleshooting'],
    ['EADDRINUSE', '/troubleshooting'],
    ['out of memory', '/troubleshooting'],
    ['lazy chunk 404', '/deploys'],
    ['how do I do graceful shutdown', '/lifecycle'],
  ])('for "%s" finds %s among the first three', (words, page) => {
    const first = find(index, words).slice(0, 3);
    expect(first.map(({ id }) => id.split('#')[0])).toContain(page);
  });

  it('lists several pages for a word that one page has below each heading', () => {
    const pages = find(index, 'isr').map(({ id }) => id.split('#')[0]);
    expect(pages.filter((page) => page === '/migrating/rx-angular-isr')).toHaveLength(5);
    expect(new Set(pages).size).toBeGreaterThan(3);
  });

  it('finds the code of snippets', () => {
    const found = find(index, 'shutDownOnSignals');
    expect(found.some(({ section }) => section === 'Start' || section === 'Guides')).toBe(true);
  });

  it('lists the API after guides that have the words', () => {
    const sections = find(index, 'SsrHandler').map(({ section }) => section);
    expect(sections).toContain('API');
    // Words that are only alike, such as ISRHandler, come after it.
    expect(sections.slice(0, sections.indexOf('API'))).toEqual(
      expect.arrayContaining(['Reference', 'Packages']),
    );
    expect(sections.lastIndexOf('API')).toBeLessThan(sections.lastIndexOf('Migrating'));
  });

  it('suggests pages that exist', () => {
    expect(SUGGESTIONS.filter(({ id }) => !documents.has(id))).toEqual([]);
  });
});

it('answers an unknown path with its page for 404', async () => {
  const response = await fetch(`${site.origin}/no/such/page`, { headers: { Accept: 'text/html' } });
  expect(response.status).toBe(404);
  expect(response.headers.get('content-security-policy')).not.toBeNull();
  expect(await response.text()).toContain('Page not found</h1>');
});
