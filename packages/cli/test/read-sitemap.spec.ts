import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { afterAll, expect, test } from 'vitest';
import { readSitemap } from '../dist/render/read-sitemap.js';

const folder = mkdtempSync(join(tmpdir(), 'ng-ssr-sitemap-'));
const file = join(folder, 'sitemap.xml');
afterAll(() => rmSync(folder, { recursive: true }));

const PAGE = 'https://shop.example/1';
const LOC = `<loc>${PAGE}</loc>`;

async function urlsOf(content: string | Buffer): Promise<readonly string[]> {
  writeFileSync(file, content);
  return (await readSitemap(file)).map(({ url }) => url);
}

test.each([
  ['a byte order mark and space', `\u{feff}<urlset><url>\n<loc>\n ${PAGE}\t</loc></url></urlset>`],
  ['CDATA', `<urlset><url><loc><![CDATA[ ${PAGE} ]]></loc></url></urlset>`],
  ['a page in a comment', `<urlset><!-- <url><loc>${PAGE}/old</loc></url> --><url>${LOC}</url>`],
  ['an index in a comment', `<!-- <sitemapindex> --><urlset><url>${LOC}</url></urlset>`],
  ['images', `<urlset><url>${LOC}<image:loc>https://a.example/b</image:loc></url></urlset>`],
  // A pattern that tracks back over each character would exceed the stack.
  ['20 MB in one entry', `<urlset><url>${LOC}${' '.repeat(2e7)}</url></urlset>`],
])('%s', async (_, xml) => {
  expect(await urlsOf(xml)).toEqual([PAGE]);
});

test('reads references once', async () => {
  const loc = `${PAGE}?a=1&amp;b=2&#038;c=3&#x26;d=&#38;amp;&amp;lt;`;
  expect(await urlsOf(`<url><loc>${loc}</loc></url>`)).toEqual([`${PAGE}?a=1&b=2&c=3&d=&amp;&lt;`]);
});

test('a <lastmod> belongs to its entry, also before <loc>', async () => {
  const entry = (date: string): string => `<url><lastmod>${date}</lastmod>${LOC}</url>`;
  writeFileSync(file, `<urlset>${entry('2020-01-01')}${entry('soon')}${entry('2021-02-03')}`);
  const changes = (await readSitemap(file)).map(({ changedAtMs }) => changedAtMs);
  expect(changes).toEqual([Date.UTC(2020, 0), undefined, Date.UTC(2021, 1, 3)]);
});

test.each([
  ['HTML', '<!doctype html><p>Not found', 'lists no pages'],
  ['UTF-16', Buffer.from(`<urlset><url>${LOC}`, 'utf16le'), 'lists no pages'],
  ['another scheme', '<url><loc>file:///etc/passwd</loc></url>', 'lists "file:///etc/passwd"'],
  ['half of gzip', gzipSync(LOC).subarray(0, 15), 'cannot be read: unexpected end of file'],
  [
    '140 MB in gzip',
    gzipSync(Buffer.alloc(1.4e8), { level: 1 }),
    'cannot be read: Cannot create a',
  ],
])('%s is an error', async (_, content, message) => {
  await expect(urlsOf(content)).rejects.toMatchObject({
    code: 'NG_SSR_SITEMAP_INVALID',
    message: expect.stringContaining(message) as string,
  });
});
