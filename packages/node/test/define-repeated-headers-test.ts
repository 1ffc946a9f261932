import type { SsrOptions } from '@ng-ssr/core';
import type { Feature } from '@ng-ssr/core/plug';
import type { SsrServer } from '@ng-ssr/node/adapter';
import { expect, onTestFinished, test } from 'vitest';
import { prerendered, writeBuiltSite } from '../../core/test/built-site.ts';

const adds = (name: string, setsCookie: boolean): Feature => ({
  name,
  install: () => ({
    finish: (answer) => ({
      ...answer,
      headers: [
        ...answer.headers,
        ...(setsCookie ? ['Set-Cookie', `${name}=1`] : []),
        ...['X-By', name, 'Vary', `X-${name}`],
      ],
    }),
  }),
});

/** Two features that add the same header. */
export const repeating = (setsCookie: boolean): SsrOptions => ({
  engine: () =>
    new Response('page', { headers: { 'x-by': 'page', 'cache-control': 's-maxage=60' } }),
  allowedHosts: ['127.0.0.1'],
  files: {
    folder: writeBuiltSite({ 'browser/a/index.html': prerendered('a'), 'browser/a.txt': 'a' }),
  },
  features: [adds('one', setsCookie), adds('two', setsCookie)],
});

export function expectAllLines({ headers }: Response, byPage: string): void {
  expect(headers.get('x-by')).toBe(`${byPage}one, two`);
  const cookies = headers.getSetCookie();
  expect(cookies).toEqual(cookies.length === 0 ? [] : ['one=1', 'two=1']);
  expect(headers.get('vary')).toMatch(/X-one, X-two$/);
}

/** A miss has the headers of a hit: of a repeated header no line is lost (RFC 9110 section 5.3). */
export function defineRepeatedHeadersTest(create: (options: SsrOptions) => SsrServer): void {
  test.each([true, false])(
    'a header that two features add has both values (cookies: %j)',
    async (setsCookie) => {
      const server = create(repeating(setsCookie));
      const where = { port: 0, host: '127.0.0.1', announce: false, shutdown: false } as const;
      const { port } = await server.listen(where);
      onTestFinished(() => server.close());
      const get = (path: string, method = 'GET'): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}${path}`, { method });
      for (const path of ['/rendered', '/rendered', '/b'])
        expectAllLines(await get(path), 'page, ');
      expectAllLines(await get('/a.txt'), '');
      // Node's responses are set in another way after 300 of them.
      for (let i = 0; i < 310; i++) await (await get('/b', 'DELETE')).text();
      expectAllLines(await get('/b', 'DELETE'), '');
      expectAllLines(await get('/c'), 'page, ');
    },
  );
}
