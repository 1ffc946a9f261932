import { expect } from 'vitest';
import { BROWSER, type ClientResponse, headerLines, headerOf, requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { decodedBody, expectNotModified } from '../expectations.ts';
import { RawConnection } from '../raw-client.ts';
import { LATE_MS, USER_HEADER } from '../slots-fixture.ts';

const ANN = { [USER_HEADER]: 'ann' };

/** Headers of the fixture `cached` that would have a cache keep a response. */
const OF_CACHES = [
  ...['cdn-cache-control', 'surrogate-control', 'surrogate-key', 'cache-tag', 'x-accel-expires'],
  ...['pragma', 'expires', 'last-modified', 'etag', 'accept-ranges'],
];

/** The page without its slots, and the data of these. */
export function read(response: ClientResponse): { readonly page: string; readonly slots: object } {
  const text = decodedBody(response).toString();
  const slots: Record<string, unknown> = {};
  const element =
    /<script type="application\/json" data-ng-ssr-slot="([\w-]+)">([^<]*)\n<\/script>/g;
  const page = text.replaceAll(element, (_, name: string, json: string) => {
    // No text: the slot has failed.
    if (json !== '') slots[name] = JSON.parse(json);
    return '';
  });
  return { page, slots };
}

/** The script of the application stands elsewhere in a page with slots. */
function withoutMain(page: string): string {
  return page.replace(/<script(?: async)? src="\/main-[^>]*><\/script>/, '');
}

/** A page whose island is marked, and whose script is behind what fills it. */
function filled(page: string, template: string): string {
  const script = '<script src="main-ABCDEFGH.js" type="module"></script>';
  const preload = '<link rel="modulepreload" href="main-ABCDEFGH.js">';
  return page
    .replace('data-slot="island">', '$&<?start name="island">')
    .replace(script, `${preload}${template}${script.replace('<script', '<script async')}`);
}

const userNamed = (name: string): object => ({ user: { name, markup: '</script><b>\u2028' } });

/** Pages that are the same for all, with data of one client. */
export const slots = caseFile({ file: 'slots', profile: 'slots' }, (add) => {
  for (const [label, target] of [
    ['a stored page', '/stored/slots/page'],
    ['a prerendered page', '/about'],
  ] as const) {
    add(
      `${label} has slots for one client, and is as it is for others`,
      async ({ get, engine }) => {
        const plain = await get(target);
        const whole = decodedBody(plain).toString();
        for (const name of ['ann', 'bob']) {
          const response = await get(target, { [USER_HEADER]: name });
          expect(response.status).toBe(200);
          expect(read(response).slots).toEqual(userNamed(name));
          expect(withoutMain(read(response).page)).toBe(withoutMain(whole));
          expect(headerLines(response, 'cache-control')).toEqual([
            'private, no-cache, no-transform',
          ]);
          expect(headerOf(response, 'vary')).toMatch(/\bCookie\b/);
          expect(headerLines(response, 'cache-status')).toHaveLength(1);
          for (const absent of ['etag', 'last-modified', 'accept-ranges', 'age']) {
            expect(headerOf(response, absent), absent).toBeUndefined();
          }
        }
        const again = await get(target);
        expect(decodedBody(again).toString()).toBe(whole);
        expect(headerOf(again, 'cache-status')).toMatch(/; hit/);
        expect(engine.renders()).toBe(target === '/about' ? 0 : 1);
      },
    );
  }

  add('a request for slots renders the page that others then get', async ({ get, engine }) => {
    const response = await get('/stored/slots/rendered', ANN);
    expect(read(response).slots).toEqual(userNamed('ann'));
    const hit = await get('/stored/slots/rendered');
    expect(headerOf(hit, 'cache-status')).toMatch(/; hit/);
    expect(read(response).page).toBe(decodedBody(hit).toString());
    expect(engine.renders()).toBe(1);
  });

  add('what middleware says to caches is not on a page with slots', async ({ get }) => {
    for (const target of ['/stored/slots/private', '/about']) {
      const response = await get(target, { ...ANN, 'x-fixture': 'cached' });
      expect(read(response).slots).toEqual(userNamed('ann'));
      expect(headerLines(response, 'cache-control')).toEqual(['private, no-cache, no-transform']);
      for (const absent of OF_CACHES) expect(headerOf(response, absent), absent).toBeUndefined();
      expect(headerLines(response, 'set-cookie')).toEqual(['seen=1']);
      const vary = headerOf(response, 'vary');
      for (const name of [/\bOrigin\b/, /\bCookie\b/]) expect(vary).toMatch(name);
      const unstored = await get(target, { ...ANN, 'x-fixture': 'no-store' });
      expect(headerLines(unstored, 'cache-control')).toEqual(['private, no-store, no-transform']);
      expect(read(unstored).slots).toEqual(userNamed('ann'));
    }
  });

  for (const encoding of ['gzip', 'br', 'zstd']) {
    add(`slots follow a page in ${encoding}`, async ({ get }) => {
      const target = `/stored/slots/encoded?${encoding}`;
      const whole = decodedBody(await get(target)).toString();
      for (let turn = 0; turn < 2; turn++) {
        const response = await get(target, { ...ANN, 'accept-encoding': encoding });
        // Bun's zlib cannot leave zstd open.
        expect([encoding, undefined]).toContain(headerOf(response, 'content-encoding'));
        expect(read(response)).toEqual({ page: whole, slots: userNamed('ann') });
      }
    });
  }

  for (const encoding of ['identity', 'gzip', 'br', 'zstd']) {
    add(`the HTML of an island follows its data in ${encoding}`, async ({ get }) => {
      const target = `/stored/islands/page?${encoding}`;
      const whole = decodedBody(await get(target)).toString();
      const response = await get(target, { ...ANN, 'accept-encoding': encoding });
      const { page, slots: found } = read(response);
      expect(found).toEqual({ island: 'ann' });
      expect(page).toBe(filled(whole, '<template for="island"><b>ann &#228;</b></template>'));
    });
  }

  add('an island whose HTML has no end shows its fallback, and its data comes', async (t) => {
    const target = '/stored/islands/broken';
    const whole = decodedBody(await t.get(target)).toString();
    const { page, slots: found } = read(await t.get(target, ANN));
    expect(found).toEqual({ island: 'ann' });
    expect(page).toBe(filled(whole, ''));
    if (!t.isInOtherProcess) {
      expect(t.errors.map((error) => (error as { code: string }).code)).toEqual([
        'NG_SSR_SLOT_FAILED',
      ]);
    }
    await t.expectAlive();
  });

  add('the default is requests with a cookie', async ({ get }) => {
    const target = '/stored/slots/session';
    expect(read(await get(target)).slots).toEqual({});
    const cookie = 'session=ann';
    expect(read(await get(target, { cookie })).slots).toEqual({ session: cookie });
  });

  add(
    'the page comes before a slot that takes its time',
    async ({ connect }) => {
      const connection = await connect();
      connection.write(requestBytes({ target: '/stored/slots/late' }));
      const { body } = await connection.read();
      connection.write(requestBytes({ target: '/stored/slots/late', headers: ANN }));
      const sinceMs = performance.now();
      const response = await connection.read();
      expect(performance.now() - sinceMs).toBeGreaterThan(LATE_MS - 5);
      expect(read(response)).toEqual({
        page: body.toString(),
        slots: { ...userNamed('ann'), late: 'ann' },
      });
      // The connection goes on.
      connection.write(requestBytes({ target: '/stored/slots/late' }));
      expect((await connection.read()).body.equals(body)).toBe(true);
      connection.end();
    },
    { wire: true },
  );

  for (const kind of ['broken', 'hanging']) {
    add(`a slot that is ${kind}: the page keeps its fallback, and ends`, async (t) => {
      const target = `/stored/slots/${kind}`;
      const whole = decodedBody(await t.get(target)).toString();
      const response = await t.get(target, ANN);
      expect(read(response)).toEqual({ page: whole, slots: userNamed('ann') });
      if (!t.isInOtherProcess) {
        expect(t.errors.map((error) => (error as { code: string }).code)).toEqual([
          'NG_SSR_SLOT_FAILED',
        ]);
      }
      await t.expectAlive();
    });
  }

  add('HEAD, ranges and preconditions are for the page itself', async (t) => {
    const target = '/stored/slots/validated';
    const plain = await t.get(target);
    const head = await t.request({ method: 'HEAD', target, headers: ANN });
    expect(headerOf(head, 'etag')).toBe(headerOf(plain, 'etag'));
    const prefetch = await t.get(target, { ...ANN, 'sec-purpose': 'prefetch' });
    expect(read(prefetch).slots).toEqual(userNamed('ann'));
    expect(read(await t.get(target, { ...ANN, range: 'bytes=0-9' })).slots).toEqual({});
    const condition = { 'if-none-match': headerOf(plain, 'etag') ?? '' };
    expectNotModified(await t.get(target, condition), plain);
    const filled = await t.get(target, { ...ANN, ...condition });
    expect([filled.status, read(filled).slots]).toEqual([200, userNamed('ann')]);
  });

  add(
    'to HTTP/1.0 a page with slots has its length, or ends with the connection',
    async ({ connect, get }) => {
      for (const [target, framing, slotsOf] of [
        ['/about', 'content-length', userNamed],
        ['/stored/slots/late', 'close', (name: string) => ({ ...userNamed(name), late: name })],
      ] as const) {
        const whole = decodedBody(await get(target)).toString();
        for (const connection of ['close', 'keep-alive']) {
          const client = await connect();
          const headers = `host: shop.example\r\nconnection: ${connection}\r\n${USER_HEADER}: ann`;
          client.write(`GET ${target} HTTP/1.0\r\n${headers}\r\n\r\n`);
          const response = await client.read();
          expect([response.status, response.framing]).toEqual([200, framing]);
          expect(read(response).slots).toEqual(slotsOf('ann'));
          expect(withoutMain(read(response).page)).toBe(withoutMain(whole));
          if (framing === 'content-length' && connection === 'keep-alive') client.destroy();
          await client.closed;
        }
      }
    },
    { wire: true, parity: false },
  );

  add(
    'a client that leaves during a slot leaves a server that answers',
    async (t) => {
      const connection = await t.connect();
      connection.write(requestBytes({ target: '/stored/slots/endless', headers: ANN }));
      // The page is stored when the response has begun.
      await expect
        .poll(async () => headerOf(await t.get('/stored/slots/endless'), 'cache-status'))
        .toMatch(/; hit/);
      connection.destroy();
      await connection.closed;
      await t.expectAlive();
      expect(t.errors).toEqual([]);
    },
    { wire: true, parity: false },
  );

  add(
    'close() waits for a slot, and ends after a client has left',
    async ({ start }) => {
      const { server } = await start();
      const { port } = server;
      if (port === undefined) return void (await server.close());
      const [stayer, leaver] = [await RawConnection.open(port), await RawConnection.open(port)];
      stayer.write(requestBytes({ target: '/stored/slots/late', headers: ANN }));
      leaver.write(requestBytes({ target: '/stored/slots/endless', headers: ANN }));
      await stayer.read();
      leaver.destroy();
      await leaver.closed;
      await server.close();
      stayer.end();
    },
    { wire: true, parity: false },
  );

  add('what browsers accept is decoded', async ({ get }) => {
    const response = await get('/stored/slots/browser', { ...ANN, ...BROWSER });
    expect(read(response).slots).toEqual(userNamed('ann'));
  });
});
