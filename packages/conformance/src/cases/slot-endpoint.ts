import { expect } from 'vitest';
import { type ClientResponse, headerLines, headerOf, requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, expectNotModified } from '../expectations.ts';
import { LATE_MS, SLOT_ENDPOINT, USER_HEADER } from '../slots-fixture.ts';

const ANN = { [USER_HEADER]: 'ann' };
const ESI = { 'surrogate-capability': 'varnish="ESI/1.0"' };
const ALL = '<script type="application/json" data-ng-ssr-slots></script>';

const endpointOf = (path: string): string => `${SLOT_ENDPOINT}?path=${encodeURIComponent(path)}`;
const elementOf = (name: string, data: unknown): string => {
  const json = JSON.stringify(data).replace(/[<\u2028]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
  });
  return `<script type="application/json" data-ng-ssr-slot="${name}">${json}\n</script>`;
};
const userNamed = (name: string): string =>
  elementOf('user', { name, markup: '</script><b>\u2028' });
const textOf = (response: ClientResponse): string => decodedBody(response).toString();

/** Pages that a cache in front of the server may send, and the endpoint that sends their slots. */
export const slotEndpoint = caseFile({ file: 'slot endpoint', profile: 'slot endpoint' }, (add) => {
  for (const [label, target] of [
    ['a stored page', '/stored/slots/cdn'],
    ['a prerendered page', '/about'],
  ] as const) {
    add(`${label} is the same for all, and its slots are of one client`, async ({ get }) => {
      const plain = await get(target);
      const page = await get(target, ANN);
      expect(textOf(page)).toBe(textOf(plain));
      expect(headerOf(page, 'etag')).toBe(headerOf(plain, 'etag'));
      const condition = { ...ANN, 'if-none-match': headerOf(plain, 'etag') ?? '' };
      expectNotModified(await get(target, condition), plain);
      for (const name of ['ann', 'bob']) {
        const slots = await get(endpointOf(target), { [USER_HEADER]: name });
        expect([slots.status, textOf(slots)]).toEqual([200, ALL + userNamed(name)]);
      }
      expect(textOf(await get(endpointOf(target)))).toBe(ALL);
    });
  }

  add('no cache keeps slots, whatever middleware says', async ({ get }) => {
    const target = endpointOf('/stored/slots/cdn');
    for (const fixture of ['cached', 'no-store', 'none']) {
      const response = await get(target, { ...ANN, 'x-fixture': fixture });
      expect(textOf(response)).toBe(ALL + userNamed('ann'));
      expect(headerLines(response, 'cache-control')).toEqual(['private, no-store, no-transform']);
      expect(headerOf(response, 'vary')).toMatch(/\bCookie\b/);
      for (const absent of ['etag', 'cdn-cache-control', 'surrogate-control', 'content-encoding']) {
        expect(headerOf(response, absent), absent).toBeUndefined();
      }
    }
  });

  add(
    'a slot that takes its time is waited for, and the connection goes on',
    async ({ connect }) => {
      const connection = await connect();
      const sinceMs = performance.now();
      connection.write(requestBytes({ target: endpointOf('/stored/slots/late'), headers: ANN }));
      const response = await connection.read();
      expect(performance.now() - sinceMs).toBeGreaterThan(LATE_MS - 5);
      expect(textOf(response)).toBe(ALL + userNamed('ann') + elementOf('late', 'ann'));
      connection.write(requestBytes({ target: endpointOf('/about') }));
      expect(textOf(await connection.read())).toBe(ALL);
      connection.end();
    },
    { wire: true },
  );

  add('HEAD has the headers, and other methods are refused', async ({ request }) => {
    const target = endpointOf('/stored/slots/cdn');
    const head = await request({ method: 'HEAD', target, headers: ANN });
    expect([head.status, head.body.byteLength]).toEqual([200, 0]);
    expect(headerLines(head, 'cache-control')).toEqual(['private, no-store, no-transform']);
    const post = await request({ method: 'POST', target, headers: ANN });
    expect([post.status, headerOf(post, 'allow')]).toEqual([405, 'GET, HEAD']);
  });

  add('what asks for no page, or from another site, gets nothing', async ({ get }) => {
    for (const path of ['', 'about', '//evil.example/about', '/a/../about']) {
      expect((await get(endpointOf(path), ANN)).status, path).toBe(400);
    }
    expect((await get(SLOT_ENDPOINT, ANN)).status).toBe(400);
    const foreign = { ...ANN, 'sec-fetch-site': 'cross-site', 'sec-fetch-dest': 'script' };
    expect((await get(endpointOf('/about'), foreign)).status).toBe(403);
  });

  add('what announces ESI gets an include in place of the slots', async ({ get, engine }) => {
    const target = '/stored/slots/esi?a=1&b=%26';
    const whole = textOf(await get(target));
    for (const [fixture, lifetime] of [
      ['none', 'max-age=\\d+'],
      ['cached', 'max-age=\\d+'],
      ['no-store', 'no-store'],
    ] as const) {
      const page = await get(target, { ...ANN, ...ESI, 'x-fixture': fixture });
      const src = `${SLOT_ENDPOINT}?${new URLSearchParams({ path: target })}`;
      const include = `<esi:include src="${src}" onerror="continue"/>`;
      expect(textOf(page)).toBe(whole.replace('</body>', `${include}</body>`));
      const control = fixture === 'no-store' ? 'no-store' : 'no-cache';
      expect(headerLines(page, 'cache-control')).toEqual([`private, ${control}, no-transform`]);
      const surrogates = new RegExp(`^${lifetime}.*, content="ESI/1.0"$`);
      expect(headerOf(page, 'surrogate-control')).toMatch(surrogates);
      expect(headerOf(page, 'vary')).toMatch(/\bSurrogate-Capability\b/);
      expect(headerOf(page, 'vary')).not.toMatch(/\bCookie\b/);
      for (const absent of ['etag', 'last-modified', 'cdn-cache-control', 'content-encoding']) {
        expect(headerOf(page, absent), absent).toBeUndefined();
      }
      expect(textOf(await get(src, ANN))).toBe(ALL + userNamed('ann'));
    }
    expect(engine.renders()).toBe(1);
  });
});
