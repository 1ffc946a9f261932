import { type Feature, type SlotOptions, withSlots } from '@ng-ssr/core';
import { expect, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../built-site.ts';
import { plainExchange } from '../../plain-exchange.ts';
import { html, type Page, storedServer } from '../../pages/stored-server.ts';
import { inspectedServer } from '../inspector/inspected-server.ts';
import { ANN, asker, page, type Read, readAnswer, STORED } from './slotted-server.ts';

const USER: Readonly<Record<string, SlotOptions>> = { user: { fill: () => 'ann' } };
const ESI = { 'surrogate-capability': 'varnish="ESI/1.0"' };
const CONTENT = 'content="ESI/1.0"';

function server(
  slots: Readonly<Record<string, SlotOptions>> = USER,
  render: Page = page,
  folder?: string,
  more: readonly Feature[] = [],
) {
  const files = folder === undefined ? {} : { files: { folder } };
  const features = [withSlots(slots, { endpoint: '/_slots' }), ...more];
  const stored = storedServer(render, { ...files, features });
  return { ...stored, ask: asker(stored.handler, ESI) };
}

/** What the include of a page names, as an XML parser reads it. */
function included({ text }: Read): string | undefined {
  const src = /<esi:include src="([^"<>]*)" onerror="continue"\/>/.exec(text)?.[1];
  return src?.replaceAll('&amp;', '&');
}

test('a page that is rendered, stored or prerendered includes its slots before its end', async () => {
  const folder = writeBuiltSite({ 'browser/about/index.html': prerendered('about') });
  const { ask, requests } = server(USER, page, folder);
  const slots = await ask('/_slots?path=%2Fa', ANN);
  for (const target of ['/a', '/a', '/about']) {
    const plain = await ask(target, {});
    // The same for all, although the cache in front forwards the cookies of the first client.
    const pages = [await ask(target), await ask(target, { ...ESI, ...ANN })];
    expect(pages[0]!.text).toBe(pages[1]!.text);
    expect(pages.map(({ status, pieces }) => [status, pieces.length])).toEqual([
      [200, 1],
      [200, 1],
    ]);
    expect(included(pages[0]!)).toBe(`/_slots?path=${encodeURIComponent(target)}`);
    const end = target === '/about' ? '' : '</body></html>';
    expect(pages[0]!.text.replace(/<esi.*\/>/, '')).toBe(plain.text);
    expect(pages[0]!.text.endsWith(`/>${end}`)).toBe(true);
    expect((await ask(included(pages[0]!)!, ANN)).text).toBe(slots.text);
  }
  expect(requests).toHaveLength(1);
});

test('only what includes may keep the page: for browsers it is private, without a validator', async () => {
  const render: Page = () =>
    html('a', {
      ...{ 'cache-control': 'public, max-age=5, s-maxage=60, stale-while-revalidate=30' },
      ...{ vary: 'accept-language', etag: '"a"', 'last-modified': 'Thu, 01 Jan 2015 00:00:00 GMT' },
      ...{ 'cache-tag': 'a', 'cdn-cache-control': 'max-age=50, stale-if-error=9', link: '</a>' },
    });
  const answer = await server(USER, render).ask('/a', { ...ESI, 'if-none-match': '"a"' });
  expect(answer.status).toBe(200);
  expect(answer.header('cache-control')).toBe('private, no-cache, no-transform');
  expect(answer.header('surrogate-control')).toBe(`max-age=50, stale-if-error=9, ${CONTENT}`);
  expect(answer.header('vary')).toMatch(/^accept-language, .*Surrogate-Capability$/);
  expect(answer.header('vary')).not.toMatch(/cookie/i);
  expect([answer.header('cache-tag'), answer.header('link')]).toEqual(['a', '</a>']);
  for (const name of ['etag', 'last-modified', 'cdn-cache-control', 'content-encoding']) {
    expect(answer.header(name), name).toBeUndefined();
  }
});

test.each([
  [STORED, `max-age=60, ${CONTENT}`],
  [
    { 'cache-control': 's-maxage=60, stale-while-revalidate=30' },
    `max-age=60, stale-while-revalidate=30, ${CONTENT}`,
  ],
  [{ 'cache-control': 'private, max-age=60' }, `no-store, ${CONTENT}`],
  [{ 'cache-control': 'no-store' }, `no-store, ${CONTENT}`],
  [{ ...STORED, 'set-cookie': 'a=1' }, `no-store, ${CONTENT}`],
  [{}, `no-store, ${CONTENT}`],
])('a page with %j is kept with %s', async (headers, control) => {
  const answer = await server(USER, () => html('a', headers as Record<string, string>)).ask('/a');
  expect(answer.header('surrogate-control')).toBe(control);
  expect(included(answer)).toBe('/_slots?path=%2Fa');
});

test('the age of a stored page is known to what keeps it', async () => {
  const { ask } = server();
  await ask('/a');
  expect((await ask('/a')).header('age')).toMatch(/^\d+$/);
});

test('the path is escaped in the include, and the endpoint reads what the client has asked for', async () => {
  const seen: string[] = [];
  const slots = { user: { fill: ({ url }: Request) => seen.push(url) } };
  const { ask } = server(slots);
  for (const target of [
    `/a?b=1&c=%22%3E%3Cscript%3E&d='"`,
    '/caf%C3%A9/a+b?q=%26amp;&e=+',
    '/a?<esi:include src="/b"/>'.replaceAll(' ', '%20'),
  ]) {
    const { text } = await ask(target);
    const [tag] = /<esi:include src="[^"]*" onerror="continue"\/>/.exec(text)!;
    expect(tag.slice(18, -22)).toMatch(/^[\w/?=%.*+-]*$/);
    await ask(included({ text } as Read)!, ANN);
    expect(seen.pop()).toBe(new URL(target, 'http://localhost').href);
  }
});

test('islands and the script are as in a page with slots', async () => {
  const body = `<div ngSkipHydration data-slot="cart">0</div><script src="main.js" type="module"></script>`;
  const cart = { fill: () => 'ann', html: (name: unknown) => `<b>${name as string}</b>` };
  const { ask } = server(
    { cart, ...USER },
    () => new Response(`<html><body>${body}</body></html>`, { headers: STORED }),
  );
  const answer = await ask('/a');
  expect(answer.text.replace(/<esi[^>]*>/, '(slots)')).toBe(
    '<html><body><div ngSkipHydration data-slot="cart"><?start name="cart">0</div>' +
      '<link rel="modulepreload" href="main.js">(slots)' +
      '<script async src="main.js" type="module"></script></body></html>',
  );
  expect(included(answer)).toBe('/_slots?path=%2Fa&islands=cart%3A1');
  const { text, slots } = await ask(included(answer)!, ANN);
  expect(text).toContain('<template for="cart"><b>ann</b></template>');
  expect(slots).toEqual({ cart: 'ann', user: 'ann' });
});

test.each([
  ['varnish=ESI/1.0', false],
  ['abc="Surrogate/1.0"', false],
  ['abc="ESI/1.1"', false],
  ['abc="ESI/1.0+1"', false],
  ['abc="Surrogate/1.0 ESI/1.0"', true],
  ['abc="Surrogate/1.0", def="ESI/1.0 ESI-Inline/1.0"', true],
  ['abc = "ESI/1.0"', true],
])('Surrogate-Capability: %s', async (capability, isKnown) => {
  const answer = await server().ask('/a', { 'surrogate-capability': capability });
  expect(included(answer) !== undefined).toBe(isKnown);
});

test.each([
  ['HEAD', '/a', ESI, 'HEAD'],
  ['a range', '/a', { ...ESI, range: 'bytes=0-9' }, 'GET'],
  ['a page without slots', '/b', ESI, 'GET'],
  ['a missing page', '/missing', ESI, 'GET'],
  ['data', '/data', ESI, 'GET'],
])('%s is as it is for others', async (_name, target, headers, method) => {
  const render: Page = ({ url }) =>
    url.endsWith('/missing')
      ? new Response('none', { status: 404, headers: { 'content-type': 'text/html' } })
      : new Response('{}', {
          headers: { ...STORED, 'content-type': url.endsWith('data') ? 'text/json' : 'text/html' },
        });
  const slots = { user: { routes: ['/a', '/missing', '/data'], fill: () => 'ann' } };
  const { ask } = server(slots, render);
  const { 'surrogate-capability': _, ...others } = headers as Record<string, string>;
  const [plain, answer] = [await ask(target, others, method), await ask(target, headers, method)];
  expect([answer.status, answer.text]).toEqual([plain.status, plain.text]);
  for (const name of ['cache-control', 'etag', 'surrogate-control', 'content-length']) {
    expect(answer.header(name), name).toBe(plain.header(name));
  }
});

test('with slots after pages, the announcement changes nothing', async () => {
  const { handler } = storedServer(page, { features: [withSlots(USER)] });
  const answer = await handler.complete(plainExchange('/a', { ...ESI, ...ANN }));
  expect((await readAnswer(answer!)).slots).toEqual({ user: 'ann' });
});

test('explain says that the page has an include', async () => {
  const features = [withSlots(USER, { endpoint: '/_slots' })];
  const { inspect } = inspectedServer(undefined, { features });
  const content = { url: '/a', headers: ESI };
  const { text } = await inspect('/explain', { method: 'POST', content });
  expect(text).toContain('The page has <esi:include> of /_slots, which sends these slots: user.');
});

test.each([
  ['a="ESI/1.0"', true],
  ['a="Surrogate/1.0 ESI/1.0"', true],
  ['a="Surrogate/1.0", b = "ESI/1.0 other/2"', true],
  ['a="ESI/1.01"', false],
  ['a="xESI/1.0"', false],
  ['ESI/1.0', false],
  ['a="ESI/1.0', false],
])('Surrogate-Capability: %s announces ESI: %s', async (capability, isAnnounced) => {
  const read = await server().ask('/a', { 'surrogate-capability': capability });
  expect(read.text.includes('<esi:include')).toBe(isAnnounced);
});
