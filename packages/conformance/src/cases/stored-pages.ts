import { expect } from 'vitest';
import { headerLines, headerOf, requestBytes, type ClientResponse } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import {
  comparableHeaders,
  decodedBody,
  expectNotModified,
  expectWhole,
  listMembers,
  strongTag,
} from '../expectations.ts';
import { expectHit, expectStored, untilEncoded } from '../stored-expectations.ts';
import { OWN_TAG, RENDER_HEADER, STORED } from '../stored-stub-pages.ts';

/** Rendered pages that declare that they may be stored (RFC 9111). */
export const storedPages = caseFile('stored pages', (add) => {
  const profile = { profile: 'stored pages' } as const;
  const unordered = { ...profile, parity: false };

  add(
    'the second request is a hit',
    async ({ get, engine }) => {
      const [first, second] = [await get('/stored/page/hit'), await get('/stored/page/hit')];
      expectStored(first);
      expectWhole(first, decodedBody(second));
      expectHit(second);
      expect(headerLines(second, 'cache-control')).toEqual([STORED]);
      expect(listMembers(second, 'cache-tag')).toEqual(['stored', 'stored-page-hit']);
      expect(listMembers(second, 'vary')).toEqual(['accept-encoding']);
      expect(lasting(second)).toEqual(lasting(first));
      expect(second.body.toString()).toContain('render 1');
      expect(engine.renders()).toBe(1);
    },
    profile,
  );

  const kinds: Readonly<Record<string, number>> = {
    missing: 404,
    gone: 410,
    moved: 301,
    empty: 204,
  };
  for (const [kind, status] of Object.entries(kinds)) {
    add(
      `a ${status} is stored with its headers`,
      async ({ get, engine }) => {
        const target = `/stored/${kind}/whole`;
        const [first, second] = [await get(target), await get(target)];
        expectStored(first);
        expectHit(second);
        expect([first.status, second.status]).toEqual([status, status]);
        expect(second.body.equals(first.body)).toBe(true);
        expect(lasting(second)).toEqual(lasting(first));
        if (status === 301) expect(headerLines(second, 'location')).toEqual(['/stored/page/new']);
        expect(engine.renders()).toBe(1);
      },
      profile,
    );
  }

  add(
    'HEAD of a stored page has its headers and no content',
    async ({ get, request }) => {
      const target = '/stored/page/head';
      const first = await get(target);
      const head = await request({ method: 'HEAD', target });
      expectHit(head);
      expect([head.status, head.body.length]).toEqual([200, 0]);
      expect(lasting(head)).toEqual(lasting(first));
    },
    profile,
  );

  add(
    'a page that HEAD has rendered is stored for GET',
    async ({ get, request, engine }) => {
      const target = '/stored/page/head-first';
      const head = await request({ method: 'HEAD', target });
      expectStored(head);
      const page = await get(target);
      expectHit(page);
      expect(lasting(page)).toEqual(lasting(head));
      expect(page.body.toString()).toContain('render 1');
      expect(engine.renders()).toBe(1);
    },
    profile,
  );

  add(
    'a stored page with its tag is a 304',
    async ({ get, request }) => {
      const target = '/stored/page/tagged';
      const first = await get(target);
      for (const tag of [strongTag(first), `W/${strongTag(first)}`, `"x", ${strongTag(first)}`]) {
        for (const method of ['GET', 'HEAD']) {
          const response = await request({ method, target, headers: { 'if-none-match': tag } });
          expectNotModified(response, first);
          expectHit(response);
        }
      }
      expect((await get(target, { 'if-none-match': '"x"' })).status).toBe(200);
      expect((await get(target, { 'if-match': '"x"' })).status).toBe(412);
    },
    profile,
  );

  // RFC 9110 section 8.8.3.3.
  add(
    "a stored page's own tag is strong where nobody codes the page",
    async ({ get }) => {
      for (const encoding of ['identity', 'deflate', 'compress', 'identity']) {
        const headers = { 'accept-encoding': encoding };
        const whole = await get('/stored/own-tag/page', headers);
        expect(headerOf(whole, 'content-encoding')).toBeUndefined();
        expect(headerLines(whole, 'etag')).toEqual([OWN_TAG]);
        expectNotModified(
          await get('/stored/own-tag/page', { ...headers, 'if-none-match': OWN_TAG }),
          whole,
        );
      }
    },
    profile,
  );

  add(
    'a part of a stored page is of its bytes',
    async ({ get }) => {
      const whole = await get('/stored/page/part');
      const part = await get('/stored/page/part', { range: 'bytes=10-29' });
      expect(part.status).toBe(206);
      expect(headerOf(part, 'content-range')).toBe(`bytes 10-29/${whole.body.length}`);
      expect(part.body.equals(whole.body.subarray(10, 30))).toBe(true);
    },
    profile,
  );

  for (const encoding of ['br', 'gzip']) {
    add(
      `a page that is asked for again comes in ${encoding}`,
      async ({ get, request }) => {
        const target = `/stored/page/${encoding}`;
        const plain = await get(target);
        const encoded = await untilEncoded(request, target, encoding);
        expectWhole(encoded, plain.body);
        expectHit(encoded);
        expect(strongTag(encoded)).not.toBe(strongTag(plain));
        expect(listMembers(encoded, 'vary')).toContain('accept-encoding');
        const headers = { 'accept-encoding': encoding, 'if-none-match': strongTag(encoded) };
        expectNotModified(await get(target, headers), encoded);
      },
      { ...unordered, core: encoding !== 'br' },
    );
  }

  const reasons: Readonly<Record<string, string>> = {
    cookie: 'set-cookie',
    private: 'private',
    'no-store': 'no-store',
    silent: 'no-freshness',
    unavailable: 'status',
    'ruled-out': 'rule',
  };
  for (const [kind, reason] of Object.entries(reasons)) {
    add(
      `a page that may not be stored says why: ${reason}`,
      async ({ get, engine }) => {
        const target = `/stored/${kind}/page`;
        for (const render of [1, 2]) {
          const response = await get(target);
          expect(headerOf(response, 'cache-status')).toMatch(/^ng-ssr; fwd=(uri-miss|bypass); /);
          expect(headerOf(response, 'cache-status')).toMatch(new RegExp(`; detail=${reason}$`));
          expect(headerOf(response, 'age')).toBeUndefined();
          expect(decodedBody(response).toString()).toContain(`render ${render}<`);
        }
        expect(engine.renders()).toBe(2);
      },
      { ...profile, core: kind !== 'cookie' },
    );
  }

  // RFC 9111 section 3.5.
  add(
    'an answer to a request with Authorization is stored only where it says so',
    async ({ get }) => {
      const headers = { authorization: 'Bearer alice' };
      const personal = await get('/stored/personal/page', headers);
      expect(headerOf(personal, 'cache-status')).toMatch(/; detail=authorization$/);
      expect(headerOf(await get('/stored/personal/page'), RENDER_HEADER)).toBe('2');
      expectStored(await get('/stored/page/authorized', headers));
      expectHit(await get('/stored/page/authorized'));
    },
    { ...profile, core: true },
  );

  for (const [kind, code] of [
    ['throws', 'NG_SSR_RENDER_FAILED'],
    ['breaks-off', 'NG_SSR_BODY_FAILED'],
  ] as const) {
    add(
      `a page is not stored when its render fails: ${kind}`,
      async ({ get, errors }) => {
        const target = `/stored/${kind}/page`;
        const failed = await get(target);
        expect(failed.status).toBe(500);
        expect(headerOf(failed, 'cache-control')).toBe('no-store');
        expect(errors).toEqual([expect.objectContaining({ code })]);
        expectStored(await get(target), 2);
        expectHit(await get(target), 2);
      },
      profile,
    );
  }

  add(
    'two hundred requests at once are one render',
    async ({ get, engine }) => {
      const target = '/stored/slow/crowd';
      const crowd = Array.from({ length: 200 }, () => get(target));
      const render = await engine.held();
      // When this one is answered, most of the others have arrived.
      await get('/rendered');
      render.release();
      const responses = await Promise.all(crowd);
      expect(engine.renders(target)).toBe(1);
      const isStored = (response: ClientResponse) =>
        headerOf(response, 'cache-status') === 'ng-ssr; fwd=uri-miss; stored';
      expect(responses.filter(isStored)).toHaveLength(1);
      for (const response of responses) {
        expectWhole(response, responses[0]!.body);
        expect(headerOf(response, RENDER_HEADER)).toBe('1');
      }
    },
    unordered,
  );

  add(
    'a client that leaves during a render fails no other request',
    async ({ connect, engine, get, errors }) => {
      const target = '/stored/slow/leaver';
      const [leaver, stayer] = [await connect(), await connect()];
      leaver.write(requestBytes({ target }));
      const render = await engine.held();
      stayer.write(requestBytes({ target }));
      await get('/rendered');
      leaver.destroy();
      await leaver.closed;
      await get('/rendered');
      render.release();
      const response = await stayer.read();
      stayer.end();
      expect(response.status).toBe(200);
      expect(headerOf(response, RENDER_HEADER)).toBe('1');
      expectHit(await get(target));
      expect(errors).toEqual([]);
    },
    { ...unordered, wire: true },
  );
});

/** The headers that all answers with one stored page have in common. */
function lasting(response: ClientResponse): string[] {
  return comparableHeaders(response).filter((line) => !/^(age|cache-status):/.test(line));
}
