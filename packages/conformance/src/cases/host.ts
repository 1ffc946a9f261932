import { expect } from 'vitest';
import { headerOf, FIXTURE_HOST } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectRefused, expectWhole } from '../expectations.ts';
import type { ProfileName } from '../profiles.ts';
import { BUILT_HOST } from '../stub-engine.ts';

/** Invalid Host headers (RFC 9110 section 7.2), by their fault. */
const MALFORMED: Readonly<Record<string, string>> = {
  'a fragment': 'Host: 127.0.0.1#\r\n',
  'a fragment with text': `Host: ${FIXTURE_HOST}#x\r\n`,
  'a query': 'Host: 127.0.0.1?\r\n',
  'a path': 'Host: 127.0.0.1/a\r\n',
  'a backslash': 'Host: 127.0.0.1\\a\r\n',
  'user information': 'Host: a:b@127.0.0.1\r\n',
  'a user': `Host: a@${FIXTURE_HOST}\r\n`,
  'a port beyond 65535': 'Host: 127.0.0.1:99999\r\n',
  'a port of letters': 'Host: 127.0.0.1:http\r\n',
  'two ports': 'Host: 127.0.0.1:80:80\r\n',
  'no value': 'Host:\r\n',
  'a port alone': 'Host: :80\r\n',
  'a dot alone': 'Host: .\r\n',
  'a dot in front': 'Host: .a.tenants.example\r\n',
  'two dots': 'Host: a..tenants.example\r\n',
  'a space': 'Host: shop .example\r\n',
  'an open bracket': 'Host: [\r\n',
  'an IPv6 address left open': 'Host: [::1\r\n',
  'an IPv6 address without brackets': 'Host: ::1\r\n',
  'no IPv6 address in brackets': 'Host: [shop.example]\r\n',
  'a comma list': `Host: ${FIXTURE_HOST}, 127.0.0.1\r\n`,
  'two lines': `Host: ${FIXTURE_HOST}\r\nHost: 127.0.0.1\r\n`,
  'two equal lines': `Host: ${FIXTURE_HOST}\r\nHost: ${FIXTURE_HOST}\r\n`,
  'a percent sign': 'Host: shop%2eexample\r\n',
  'a byte beyond ASCII': 'Host: sh\xf6p.example\r\n',
  'a control byte': 'Host: shop\x01.example\r\n',
  'a scheme': `Host: http://${FIXTURE_HOST}\r\n`,
  'no line at all': '',
};

/** Host values, each with whether the profile answers it. */
const ALLOWED: readonly (readonly [ProfileName, string, boolean])[] = [
  ['standard', FIXTURE_HOST, true],
  ['standard', `${FIXTURE_HOST}:8080`, false],
  ['standard', 'SHOP.Example', true],
  ['standard', `${FIXTURE_HOST}.`, true],
  ['standard', `evil.${FIXTURE_HOST}.`, false],
  ['standard', '127.0.0.1', true],
  ['standard', '127.0.0.1:65535', false],
  ['standard', '[::1]', true],
  ['standard', '[::1]:4000', false],
  ['standard', 'a.tenants.example', true],
  ['standard', 'a.b.tenants.example:80', true],
  ['standard', 'A.Tenants.EXAMPLE', true],
  ['standard', BUILT_HOST, true],
  ['standard', 'tenants.example', false],
  ['standard', 'eviltenants.example', false],
  ['standard', 'a.tenants.example.evil', false],
  ['standard', `evil.${FIXTURE_HOST}`, false],
  ['standard', `${FIXTURE_HOST}.evil`, false],
  ['standard', '10.0.0.7', false],
  ['standard', '[::2]', false],
  ['standard', 'localhost', false],
  ['any host', 'whatever.example:81', true],
  ['any host', '[2001:db8::7]', true],
];

/** Faults in the lines, which an adapter reads, rather than in the value. */
const OF_HEADER_LINES = new Set([
  'no value',
  'a comma list',
  'two lines',
  'two equal lines',
  'a byte beyond ASCII',
  'a control byte',
  'no line at all',
]);

/** Spellings that a framework or a URL could change before the core sees them. */
const SPELLINGS_OF_URLS = new Set([
  `${FIXTURE_HOST}:8080`,
  'SHOP.Example',
  '[::1]:4000',
  'a.b.tenants.example:80',
  'localhost',
  'whatever.example:81',
]);

/** The hosts that the server answers for. */
export const host = caseFile({ file: 'host', core: true }, (add) => {
  for (const [label, lines] of Object.entries(MALFORMED)) {
    add(
      `a Host with ${label} is refused everywhere`,
      async ({ raw, engine }) => {
        for (const target of ['/', '/about', '/main-ABCDEFG2.js', '/rendered', '/api/time']) {
          const bytes = `GET ${target} HTTP/1.1\r\n${lines}Connection: close\r\n\r\n`;
          expectRefused(await raw(bytes), engine);
        }
      },
      { wire: true, parity: false, core: !OF_HEADER_LINES.has(label) },
    );
  }

  add(
    'a malformed Host is refused where every host is allowed',
    async ({ raw, engine }) => {
      for (const value of ['127.0.0.1#', 'a@b', 'x/y', '127.0.0.1:99999', '[::1', '*']) {
        expectRefused(await raw(`GET /rendered HTTP/1.1\r\nHost: ${value}\r\n\r\n`), engine);
      }
    },
    { wire: true, profile: 'any host', core: false },
  );

  add(
    'a malformed Host is refused for POST',
    async ({ request, engine }) => {
      const headers = { host: '127.0.0.1/a' };
      const response = await request({ method: 'POST', target: '/rendered', headers, body: 'x' });
      expectRefused(response, engine);
    },
    { wire: true, core: false },
  );

  for (const [profile, value, isAllowed] of ALLOWED) {
    const verb = isAllowed ? 'is answered' : 'is refused';
    add(
      `${value} ${verb} (${profile})`,
      async ({ get, engine, site }) => {
        const page = await get('/about', { host: value });
        const render = await get('/echo', { host: value });
        if (isAllowed) {
          expectWhole(page, site.read('about/index.html'));
          expect(render.status).toBe(200);
          expect(engine.seen[0]?.url).toBe(`http://${toHost(value)}/echo`);
          return;
        }
        for (const response of [page, render]) {
          expectRefused(response, engine);
          expect(headerOf(response, 'cache-control')).toBe('no-store');
          expect(headerOf(response, 'etag')).toBeUndefined();
        }
      },
      { profile, core: !SPELLINGS_OF_URLS.has(value) },
    );
  }

  add(
    "a user's route answers a host that is not allowed",
    async ({ get }) => {
      const response = await get('/api/time', { host: '10.0.0.7:8080' });
      expect(response.status).toBe(200);
      expect(JSON.parse(response.body.toString())).toEqual({ now: expect.any(Number) });
    },
    { parity: false, core: false },
  );

  add(
    'a host that is not allowed gets no 304 either',
    async ({ get, engine }) => {
      expectRefused(await get('/about', { host: 'evil.example', 'if-none-match': '*' }), engine);
    },
    { core: false },
  );
});

function toHost(value: string): string {
  // Without the root's dot, and without the default port.
  return value.toLowerCase().replace(/:80$/, '').replace(/\.$/, '');
}
