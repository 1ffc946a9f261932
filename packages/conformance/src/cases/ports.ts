import { expect } from 'vitest';
import type { CaseContext } from '../case-context.ts';
import { FIXTURE_HOST } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectRefused, expectWhole, onlySeen } from '../expectations.ts';

type HeaderRecord = Readonly<Record<string, string>>;

/** What is asked for with a host, and the origin of the page; undefined where it is refused. */
async function expectOrigin(
  { get, engine, site }: CaseContext,
  sent: HeaderRecord,
  origin: string | undefined,
): Promise<void> {
  const file = await get('/about', sent);
  const page = await get('/echo', sent);
  if (origin === undefined) {
    for (const response of [file, page]) expectRefused(response, engine);
    return;
  }
  expectWhole(file, site.read('about/index.html'));
  expect(page.status).toBe(200);
  const { url, headers } = onlySeen(engine);
  expect(url).toBe(`${origin}/echo`);
  expect(headers['host'] ?? new URL(origin).host).toBe(new URL(origin).host);
}

/** The ports of hosts (RFC 9110 section 7.2), each with the origin of the page; undefined where it is refused. */
const PORTS: readonly (readonly [host: string, origin: string | undefined])[] = [
  [`${FIXTURE_HOST}:`, `http://${FIXTURE_HOST}`],
  [`${FIXTURE_HOST}:80`, `http://${FIXTURE_HOST}`],
  [`${FIXTURE_HOST}:080`, `http://${FIXTURE_HOST}`],
  [`${FIXTURE_HOST}:443`, undefined],
  [`${FIXTURE_HOST}:0`, undefined],
  [`${FIXTURE_HOST}:1`, undefined],
  [`${FIXTURE_HOST}:65535`, undefined],
  ['[::1]:', 'http://[::1]'],
  ['[::1]:1', undefined],
  ['ports.example:8443', 'http://ports.example:8443'],
  ['ports.example', undefined],
  ['ports.example:8444', undefined],
  ['a.ports.example:8080', 'http://a.ports.example:8080'],
  ['a.ports.example', undefined],
  ['[::2]:4000', 'http://[::2]:4000'],
  ['[::2]', undefined],
];

/** Headers of a trusted proxy, each with the origin of the page. */
const FORWARDED: readonly (readonly [headers: HeaderRecord, origin: string | undefined])[] = [
  [{ 'x-forwarded-port': '8443' }, `http://${FIXTURE_HOST}:8443`],
  [{ host: `${FIXTURE_HOST}:8443`, 'x-forwarded-port': '8443' }, `http://${FIXTURE_HOST}:8443`],
  [{ host: `${FIXTURE_HOST}:8444`, 'x-forwarded-port': '8443' }, undefined],
  [{ host: `${FIXTURE_HOST}:443`, 'x-forwarded-proto': 'https' }, `https://${FIXTURE_HOST}`],
  [{ host: `${FIXTURE_HOST}:80`, 'x-forwarded-proto': 'https' }, undefined],
  [{ 'x-forwarded-host': `${FIXTURE_HOST}:8443` }, undefined],
  [{ 'x-forwarded-host': 'ports.example:8443' }, 'http://ports.example:8443'],
  [
    { 'x-forwarded-host': `${FIXTURE_HOST}:`, 'x-forwarded-port': '8443' },
    `http://${FIXTURE_HOST}:8443`,
  ],
];

/** At which ports the server answers for its hosts. */
export const ports = caseFile({ file: 'ports', core: true }, (add) => {
  for (const [host, origin] of PORTS) {
    add(
      `${host} is ${origin === undefined ? 'refused' : 'answered'}`,
      (context) => expectOrigin(context, { host }, origin),
      // How a runtime's URL spells a port is of interest for one host.
      { core: !host.startsWith(FIXTURE_HOST) },
    );
  }

  for (const [headers, origin] of FORWARDED) {
    add(
      `with trust ${JSON.stringify(headers)} is ${origin ?? 'refused'}`,
      (context) => expectOrigin(context, headers, origin),
      { profile: 'trusted proxy' },
    );
  }

  add(
    'the port listened on is answered, where there is one',
    async (context) => {
      const { port } = context;
      if (port === undefined) return;
      const host = `${FIXTURE_HOST}:${port}`;
      await expectOrigin(context, { host }, `http://${host}`);
    },
    { core: false, parity: false },
  );

  add(
    'the port listened on is answered for a host that a function allows, and no other',
    async ({ get, port, engine }) => {
      expectRefused(await get('/echo', { host: 'port.asked.example:1' }), engine);
      if (port === undefined) return;
      const host = `port.asked.example:${port}`;
      expect((await get('/echo', { host })).status).toBe(200);
      expect(onlySeen(engine).url).toBe(`http://${host}/echo`);
    },
    { profile: 'asked hosts', core: false, parity: false },
  );

  add(
    'pages of other ports are neither rendered nor stored, and hardly reported',
    async ({ get, port, engine, errors }) => {
      for (let other = 1; other <= 30; other++) {
        if (other === port) continue;
        const response = await get('/stored/page/ports', { host: `127.0.0.1:${other + 80}` });
        expectRefused(response, engine);
      }
      // Once by each server thread.
      expect(errors.length).toBeLessThan(10);
    },
    { profile: 'stored pages', core: false },
  );
});
