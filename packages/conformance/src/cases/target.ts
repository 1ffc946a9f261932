import { expect } from 'vitest';
import { FIXTURE_HOST } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectNoSecret, expectRefused, expectWhole } from '../expectations.ts';

/** Request targets that are no path of this site, one byte per character. */
const MALFORMED: readonly string[] = [
  '/%ff',
  '/%',
  '/%2',
  '/%zz',
  '/%c3%28',
  '/about%',
  '//evil',
  '//evil.example/about',
  '/\\evil',
  '/%5cevil',
  '/%5Cevil',
  '/about\\..\\..\\secret.txt',
  `http://${FIXTURE_HOST}/about`,
  'http://evil.example/about',
  'https:/about',
  'about',
  '*',
  '/%00',
  '/about%00.html',
  '/../secret.txt',
  '/..%2fsecret.txt',
  '/..%5csecret.txt',
  '/%2e%2e/secret.txt',
  '/.%2e/secret.txt',
  '/a/%2E%2E/%2e%2e/secret.txt',
  '/about/../../secret.txt',
  '/about/..%2f..%2fsecret.txt',
  '/about#fragment',
  '/#',
];

/** Request targets. */
export const target = caseFile('target', (add) => {
  for (const value of MALFORMED) {
    add(
      `${value} is refused`,
      async ({ raw, engine }) => {
        const response = await raw(`GET ${value} HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\n\r\n`);
        expectRefused(response, engine);
      },
      { wire: true },
    );
  }

  for (const origin of [
    `http://${FIXTURE_HOST}`,
    'http://evil.example',
    'https://evil.example:444',
  ]) {
    add(
      `${origin}/ in front of a path reaches no route`,
      async ({ raw, engine }) => {
        for (const path of ['/api/time', '/rendered']) {
          const bytes = `GET ${origin}${path} HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\n\r\n`;
          expectRefused(await raw(bytes), engine);
        }
      },
      { wire: true },
    );
  }

  const controls: Record<string, string> = {
    NUL: '\0',
    BEL: '\x07',
    ESC: '\x1b',
    DEL: '\x7f',
    'a carriage return': '\r',
    'a tab': '\t',
    'a space': ' ',
  };
  for (const [name, byte] of Object.entries(controls)) {
    add(
      `a raw ${name} in the target is refused`,
      async ({ raw, engine }) => {
        const bytes = `GET /rend${byte}ered HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\n\r\n`;
        expectRefused(await raw(bytes), engine);
      },
      { wire: true, parity: false },
    );
  }

  add(
    'raw bytes beyond ASCII in the target are no failure',
    async ({ raw }) => {
      for (const value of ['/\xc3\xbcber', '/\xff\xfe']) {
        const response = await raw(`GET ${value} HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\n\r\n`);
        expect(response.status).toBeLessThan(500);
      }
    },
    { wire: true, parity: false },
  );

  add('dot segments that stay inside are no failure', async ({ get }) => {
    for (const value of ['/./about', '/about/.', '/guide/../about', '/about/..']) {
      const response = await get(value);
      expect(response.status).toBeLessThan(500);
      expectNoSecret(response);
    }
  });

  add('a very long target is no failure', async ({ get }) => {
    expect((await get(`/${'a'.repeat(8_000)}`)).status).toBeLessThan(500);
    expect((await get(`/about?${'a'.repeat(8_000)}`)).status).toBeLessThan(500);
  });

  add('a query may hold what a path may not', async ({ get, site, engine }) => {
    const response = await get('/about?next=//evil&back=../..&odd=%ff&half=%');
    expectWhole(response, site.read('about/index.html'));
    expect((await get('/echo?next=//evil&back=../..&path=\\x')).status).toBe(200);
    expect(engine.renders()).toBe(1);
  });

  add('a well-formed but odd path goes to the engine as it is', async ({ get, engine }) => {
    const odd = [
      '/a%20b',
      '/%C3%A4',
      '/a;b=c',
      '/a:b',
      '/@x',
      "/(x)'!*",
      '/a%2Cb',
      '/a+b',
      '/a.b.c',
    ];
    for (const value of odd) expect((await get(value)).status).toBe(404);
    expect(engine.seen.map(({ url }) => url)).toEqual(
      odd.map((value) => `http://${FIXTURE_HOST}${value}`),
    );
  });

  add(
    'the server goes on after all of them',
    async ({ raw, expectAlive }) => {
      for (const value of MALFORMED) {
        await raw(`GET ${value} HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\n\r\n`);
      }
      await expectAlive();
    },
    { wire: true, parity: false },
  );
});
