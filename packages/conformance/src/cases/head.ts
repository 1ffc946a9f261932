import { expect } from 'vitest';
import { requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { comparableHeaders, expectWhole, strongTag } from '../expectations.ts';

/** HEAD is GET without the content (RFC 9110 section 9.3.2). */
export const head = caseFile('head', (add) => {
  const requests: Record<string, readonly [target: string, headers: Record<string, string>]> = {
    'a page': ['/', {}],
    'an encoded page': ['/', { 'accept-encoding': 'br' }],
    'a page with headers of its route': ['/guide', {}],
    'a no-store page': ['/private', {}],
    'a file': ['/main-ABCDEFG2.js', { 'accept-encoding': 'gzip' }],
    'an uncompressible file': ['/assets/logo.png', {}],
    'a rendered page': ['/rendered', {}],
    'a streamed page': ['/streamed', {}],
    'a rendered page with cookies': ['/hello', {}],
    'a rendered 404': ['/missing', {}],
    'a redirect': ['/old', {}],
    'a 204': ['/empty', {}],
    'a failed render': ['/boom', {}],
    'a host that is not allowed': ['/about', { host: 'evil.example' }],
    'a 304': ['/about', { 'if-none-match': '*' }],
    'a 412': ['/about', { 'if-match': '"other"' }],
    'a 406': ['/assets/logo.png', { 'accept-encoding': 'identity;q=0' }],
  };
  for (const [label, [target, headers]] of Object.entries(requests)) {
    add(`HEAD of ${label} has the headers of GET`, async ({ request }) => {
      const whole = await request({ target, headers });
      const response = await request({ method: 'HEAD', target, headers });
      expect(response.status).toBe(whole.status);
      expect(comparableHeaders(response)).toEqual(comparableHeaders(whole));
      expect(response.body).toHaveLength(0);
    });
  }

  add('the engine sees GET for HEAD', async ({ request, engine }) => {
    await request({ method: 'HEAD', target: '/echo' });
    expect(engine.seen.map(({ method }) => method)).toEqual(['GET']);
  });

  add('HEAD with a range is the whole', async ({ request, get }) => {
    const whole = await get('/main-ABCDEFG2.js');
    const headers = { range: 'bytes=0-99' };
    const response = await request({ method: 'HEAD', target: '/main-ABCDEFG2.js', headers });
    expect(response.status).toBe(200);
    expect(comparableHeaders(response)).toEqual(comparableHeaders(whole));
  });

  add('HEAD with a matching precondition is a 304', async ({ request, get }) => {
    const headers = { 'if-none-match': strongTag(await get('/about')) };
    expect((await request({ method: 'HEAD', target: '/about', headers })).status).toBe(304);
  });

  add(
    'no content of HEAD stays on the connection',
    async ({ connect, site }) => {
      const connection = await connect();
      for (const target of ['/about', '/rendered', '/missing', '/boom']) {
        connection.write(requestBytes({ method: 'HEAD', target }));
        await connection.read('HEAD');
      }
      connection.write(requestBytes({ target: '/about' }));
      expectWhole(await connection.read(), site.read('about/index.html'));
      connection.end();
    },
    { wire: true },
  );
});
