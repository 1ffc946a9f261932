import { expect } from 'vitest';
import { headerLines, headerOf, FIXTURE_HOST, requestBytes } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { expectHit, expectStored, POLL, purge } from '../stored-expectations.ts';
import { PURGE_ENDPOINT } from '../purge-fixture.ts';
import { RENDER_HEADER } from '../stored-stub-pages.ts';

const { path: ENDPOINT, token: TOKEN } = PURGE_ENDPOINT;

/** Invalid purges of a path, by their fault. */
const junk = (path: string): Readonly<Record<string, string>> => ({
  'no content': '',
  'no JSON': `path=${path}`,
  'JSON cut off': `{"path":"${path}"`,
  'another value': `"${path}"`,
  null: 'null',
  nothing: '{}',
  'two at once': `{"path":"${path}","tag":"stored"}`,
  'a path without a slash': `{"path":"${path.slice(1)}"}`,
  'a list': '{"tag":["stored"]}',
  'another member': '{"tag":"stored","soft":true}',
  'a flag that is none': '{"tag":"stored","hard":1}',
  'too much': TOO_MUCH,
});

/** Faults of the content's length and form, where an adapter or a body parser reads it. */
const OF_CONTENT = new Set(['no content', 'no JSON', 'another value', 'too much']);

const TOO_MUCH = JSON.stringify({ tag: 'x'.repeat(1_000_000) });

/** The purge endpoint. */
export const purgeEndpoint = caseFile('purge endpoint', (add) => {
  const profile = { profile: 'stored pages' } as const;

  const hard = {
    path: { path: '/stored/page/purged-by-path' },
    'path in another spelling': { path: '/stored/page/purged%2Dby-%73pelling' },
    prefix: { prefix: '/stored/page/purged-by-pre' },
    tag: { tag: 'stored-page-purged-by-tag' },
  };
  for (const [label, by] of Object.entries(hard)) {
    add(
      `a hard purge by ${label} counts at once`,
      async (t) => {
        const name = label.split(' ').at(-1);
        const target = `/stored/page/purged-by-${name}`;
        const other = `/stored/page/not-purged-by-${name}`;
        for (const each of [target, `${target}?a=1`, other]) expectStored(await t.get(each));
        const response = await purge(t, { ...by, hard: true });
        expect(response.status).toBe(200);
        expect(JSON.parse(response.body.toString())).toEqual({
          purged: { ...by, hard: true },
          here: 2,
          elsewhere: [],
        });
        expect(headerLines(response, 'cache-control')).toEqual(['no-store']);
        expectStored(await t.get(target), 2);
        expectStored(await t.get(`${target}?a=1`), 2);
        expectHit(await t.get(other));
      },
      { ...profile, core: label !== 'path' },
    );
  }

  add(
    'a soft purge is answered with the old page until there is a new one',
    async (t) => {
      const target = '/stored/page/soft';
      const first = await t.get(target);
      expect((await purge(t, { path: target })).status).toBe(200);
      const stale = await t.get(target);
      expect(stale.status).toBe(200);
      expect(stale.body.equals(first.body)).toBe(true);
      expect(headerOf(stale, 'cache-status')).toMatch(/^ng-ssr; hit; ttl=(0|-\d+)$/);
      const renderNow = async () => headerOf(await t.get(target), RENDER_HEADER);
      await expect.poll(renderNow, POLL).toBe('2');
      expectHit(await t.get(target), 2);
      expect(t.engine.renders(target)).toBe(2);
    },
    { ...profile, parity: false },
  );

  add(
    "a purge by the tag of a route's rule counts",
    async (t) => {
      const target = '/stored/shared/purged';
      await t.get(target);
      expect((await purge(t, { tag: 'shared', hard: true })).status).toBe(200);
      await t.get(target);
      expect(t.engine.renders(target)).toBe(2);
    },
    { ...profile, core: true },
  );

  const strangers: Readonly<Record<string, string>> = {
    'no token': '',
    'another token': 'Bearer another-token-for-purges',
    'a part of the token': `Bearer ${TOKEN.slice(0, -1)}`,
    'another scheme': `Basic ${TOKEN}`,
    'the token alone': TOKEN,
  };
  for (const [label, authorization] of Object.entries(strangers)) {
    add(
      `${label} is a 401`,
      async (t) => {
        const target = pageOf('guarded', label);
        await t.get(target);
        const response = await purge(t, { path: target, hard: true }, { authorization });
        expect(response.status).toBe(401);
        expect(headerLines(response, 'www-authenticate')).toEqual([
          expect.stringMatching(/^Bearer\b/),
        ]);
        expect(headerOf(response, 'cache-control')).toBe('no-store');
        expectHit(await t.get(target));
      },
      { ...profile, core: label !== 'no token' },
    );
  }

  add(
    'GET and HEAD are a 405',
    async ({ request, engine }) => {
      for (const method of ['GET', 'HEAD']) {
        const headers = { authorization: `Bearer ${TOKEN}` };
        const response = await request({ method, target: ENDPOINT, headers });
        expect(response.status).toBe(405);
        expect(headerLines(response, 'allow')).toEqual(['POST']);
      }
      expect(engine.renders()).toBe(0);
    },
    profile,
  );

  for (const label of Object.keys(junk(''))) {
    add(
      `junk is a 400: ${label}`,
      async (t) => {
        const target = pageOf('junk', label);
        await t.get(target);
        const response = await purge(t, junk(target)[label]);
        expect(response.status).toBe(400);
        expect(headerOf(response, 'cache-control')).toBe('no-store');
        expectHit(await t.get(target));
        expect(t.errors).toEqual([]);
      },
      { ...profile, core: !OF_CONTENT.has(label) },
    );
  }

  add(
    'a client that leaves while it sends a purge is not reported',
    async (t) => {
      const authorization = `Bearer ${TOKEN}`;
      for (let i = 0; i < 5; i++) {
        const connection = await t.connect();
        connection.write(
          `POST ${ENDPOINT} HTTP/1.1\r\nHost: ${FIXTURE_HOST}\r\nAuthorization: ${authorization}\r\n` +
            'Content-Type: application/json\r\nContent-Length: 100\r\n\r\n{"path":',
        );
        // The server has it, and waits for more.
        expect((await purge(t, { tag: 'no-page-has-it' })).status).toBe(200);
        connection.destroy();
        await connection.closed;
      }
      await t.expectAlive();
      expect(t.errors).toEqual([]);
    },
    { ...profile, wire: true, parity: false },
  );

  add(
    'content that is too long does not disturb the next request',
    async ({ connect }) => {
      const connection = await connect();
      const headers = { authorization: `Bearer ${TOKEN}` };
      const request = { method: 'POST', target: ENDPOINT, headers, body: TOO_MUCH };
      connection.write(requestBytes(request));
      expect((await connection.read()).status).toBe(400);
      connection.write(requestBytes({ target: '/stored/page/after-too-much' }));
      expectStored(await connection.read());
      connection.end();
    },
    { ...profile, wire: true },
  );

  add(
    'a purge for a host that is not allowed is a 400',
    async (t) => {
      const target = '/stored/page/other-host';
      await t.get(target);
      const response = await purge(t, { path: target, hard: true }, { host: 'evil.example' });
      expect(response.status).toBe(400);
      expectHit(await t.get(target));
    },
    { ...profile, core: true },
  );

  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'image/png']) {
    add(
      `a purge counts as ${type} too`,
      async (t) => {
        const target = pageOf('as', type);
        await t.get(target);
        const response = await purge(t, { path: target, hard: true }, { 'content-type': type });
        expect(response.status).toBe(200);
        expectStored(await t.get(target), 2);
      },
      profile,
    );
  }
});

/** A separate page for each case. */
function pageOf(kind: string, label: string): string {
  return `/stored/page/${kind}-${label.replaceAll(/\W/g, '-')}`;
}
