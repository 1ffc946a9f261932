import { expect } from 'vitest';
import { headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';

const BOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const PERSON = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/140.0 Safari/537.36';
/** More than any server of the suite has threads. */
const MOST_LISTS = 8;
const TRAITS = { profile: 'render rules' } as const;

/** Which requests may cause a render. */
export const renderRules = caseFile({ file: 'render rules', core: true }, (add) => {
  add(
    'a page that is never rendered is the CSR page',
    async ({ get, request, engine, site }) => {
      const document = site.read('index.csr.html');
      const target = '/stored/page/never/a?q=1';
      for (const agent of [BOT, PERSON]) {
        const page = await get(target, { 'user-agent': agent });
        expect([page.status, page.body.equals(document)]).toEqual([200, true]);
        expect(headerOf(page, 'cache-control')).toBe('no-cache');
        expect(headerLines(page, 'cache-status')).toHaveLength(1);
      }
      const head = await request({ method: 'HEAD', target });
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(headerOf(head, 'content-length')).toBe(String(document.length));
      expect(engine.renders()).toBe(0);
    },
    { ...TRAITS, core: false },
  );

  add(
    'a page for crawlers is rendered for them, and then the answer to everybody',
    async ({ get, engine, site }) => {
      const target = '/stored/page/for-bots/a';
      const document = await get(target, { 'user-agent': PERSON });
      expect(document.body.equals(site.read('index.csr.html'))).toBe(true);
      expect(headerOf(document, 'cache-control')).toBe('private, no-cache');
      expect(engine.renders()).toBe(0);
      const page = await get(target, { 'user-agent': BOT });
      const hit = await get(target, { 'user-agent': PERSON });
      expect([engine.renders(), hit.body.equals(page.body)]).toEqual([1, true]);
      expect(headerOf(hit, 'cache-status')).toMatch(/; hit/);
    },
    { ...TRAITS, parity: false },
  );

  add(
    'a prefetch gets what is held or stored, and causes no render',
    async ({ get, engine, site }) => {
      const target = '/stored/page/prefetch';
      const prefetch = { 'sec-purpose': 'prefetch;prerender' };
      const refused = await get(target, prefetch);
      expect(refused.status).toBe(503);
      expect(headerOf(refused, 'cache-control')).toBe('no-store');
      expect(headerOf(refused, 'retry-after')).toBeUndefined();
      expect((await get('/about', prefetch)).body.equals(site.read('about/index.html'))).toBe(true);
      expect(engine.renders()).toBe(0);
      await get(target);
      expect((await get(target, prefetch)).status).toBe(200);
      expect(engine.renders()).toBe(1);
    },
    { ...TRAITS, parity: false, core: false },
  );

  add(
    'pages name the speculation rules, which list pages that cost no render',
    async ({ get, request, engine }) => {
      const path = '/_ng-ssr/speculation-rules.json';
      for (const target of ['/about', '/stored/page/named', '/stored/page/named']) {
        expect(headerLines(await get(target), 'speculation-rules')).toEqual([`"${path}"`]);
      }
      const list = await get(path);
      expect(headerOf(list, 'content-type')).toBe('application/speculationrules+json');
      expect(headerOf(list, 'speculation-rules')).toBeUndefined();
      const { prefetch } = JSON.parse(list.body.toString()) as { prefetch: { urls: string[] }[] };
      expect(prefetch[0]?.urls).toContain('/about');
      // Each server thread makes a list, of the stored pages that it has heard of by then.
      const tags = [headerOf(list, 'etag')!];
      let again = await get(path, { 'if-none-match': tags[0]! });
      while (again.status === 200 && tags.length < MOST_LISTS) {
        tags.push(headerOf(again, 'etag')!);
        again = await get(path, { 'if-none-match': tags.join(', ') });
      }
      expect(again.status).toBe(304);
      expect((await request({ method: 'HEAD', target: path })).status).toBe(200);
      expect((await get(path, { host: 'evil.example' })).status).toBe(400);
      expect(engine.renders()).toBe(1);
    },
    { ...TRAITS, parity: false, core: false },
  );
});
