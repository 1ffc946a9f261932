import { expect } from 'vitest';
import type { CaseContext } from '../case-context.ts';
import { type ClientResponse, headerLines, headerOf } from '../client.ts';
import { caseFile } from '../conformance-case.ts';
import { INSPECTOR } from '../fixture-features.ts';
import { expectHit, expectStored } from '../stored-expectations.ts';

const { path: PATH, token: TOKEN } = INSPECTOR;
const BEARER = { authorization: `Bearer ${TOKEN}` };
const JSON_TYPE = { 'content-type': 'application/json' };
const FORM_TYPE = { 'content-type': 'application/x-www-form-urlencoded' };

function post(
  { request }: CaseContext,
  part: string,
  content: unknown,
  headers: Readonly<Record<string, string>> = { ...BEARER, ...JSON_TYPE },
): Promise<ClientResponse> {
  const body = typeof content === 'string' ? content : JSON.stringify(content);
  return request({ method: 'POST', target: PATH + part, headers, body });
}

/** Signs in as a browser does, and returns the cookie to send. */
async function signIn(t: CaseContext): Promise<string> {
  const response = await post(t, '/sign-in', `token=${encodeURIComponent(TOKEN)}`, FORM_TYPE);
  expect(response.status).toBe(303);
  expect(headerOf(response, 'location')).toBe('../inspector');
  const [cookie] = headerLines(response, 'set-cookie');
  expect(cookie).toContain(`Path=${PATH}; `);
  expect(cookie).toContain('HttpOnly; SameSite=Strict');
  expect(cookie).not.toContain(TOKEN);
  return cookie!.split(';')[0]!;
}

/** The inspector, which no cache and no client without the token may have. */
export const inspector = caseFile({ file: 'inspector', core: true }, (add) => {
  // Its answers have the times and the numbers of the moment.
  const traits = { profile: 'inspector', parity: false } as const;

  add(
    'the state is JSON of this moment, which is stored nowhere',
    async ({ get, engine }) => {
      const first = await get(`${PATH}/state`, BEARER);
      expect(first.status).toBe(200);
      expect(headerOf(first, 'content-type')).toBe('application/json');
      expect(headerLines(first, 'cache-control')).toEqual(['no-store']);
      expect(headerOf(first, 'x-robots-tag')).toBe('noindex');
      const read = (response: ClientResponse) =>
        JSON.parse(response.body.toString()) as { timeMs: number; renders: unknown };
      await expect
        .poll(async () => read(await get(`${PATH}/state`, BEARER)).timeMs)
        .toBeGreaterThan(read(first).timeMs);
      expect(read(first).renders).toMatchObject({ queued: 0 });
      expect(engine.renders()).toBe(0);
    },
    traits,
  );

  add(
    'stored pages are listed, explained and purged',
    async (t) => {
      const target = '/stored/page/inspected';
      expectStored(await t.get(target));
      const list = await t.get(`${PATH}/pages?search=inspected`, BEARER);
      expect(JSON.parse(list.body.toString())).toMatchObject({
        found: 1,
        pages: [{ path: target, state: 'fresh' }],
      });
      const explained = await post(t, '/explain', { url: target });
      expect(JSON.parse(explained.body.toString())).toMatchObject({ answer: 'stored' });
      expectHit(await t.get(target));
      const purged = await post(t, '/purge', { path: target, hard: true });
      expect(JSON.parse(purged.body.toString())).toEqual({
        purged: { path: target, hard: true },
        here: 1,
        elsewhere: [],
      });
      expectStored(await t.get(target), 2);
    },
    { ...traits, core: false },
  );

  for (const part of ['', '/state', '/pages']) {
    add(
      `without the token ${part || 'the page'} is a 401`,
      async ({ get, engine }) => {
        const response = await get(PATH + part);
        expect(response.status).toBe(401);
        expect(headerLines(response, 'www-authenticate')).toEqual(['Bearer']);
        expect(headerOf(response, 'cache-control')).toBe('no-store');
        // The user of a proxy is no wrong one, which a 401 would say.
        const behindBasic = await get(PATH + part, { authorization: `Basic ${TOKEN}` });
        expect(behindBasic.status).toBe(403);
        expect(headerLines(behindBasic, 'www-authenticate')).toEqual([]);
        expect(engine.renders()).toBe(0);
      },
      { ...traits, core: part !== '/state' },
    );
  }

  add(
    'behind HTTP Basic programs send the token in a header of its own',
    async (t) => {
      const authorization = 'Basic YW5uOnBhc3N3b3Jk';
      const headers = { authorization, 'ng-ssr-token': TOKEN };
      expect((await t.get(`${PATH}/state`, headers)).status).toBe(200);
      const wrong = { authorization, 'ng-ssr-token': `${TOKEN}x` };
      expect((await t.get(`${PATH}/state`, wrong)).status).toBe(403);
      const purge = { tag: 'no-page-has-it' };
      expect((await post(t, '/purge', purge, { ...JSON_TYPE, ...headers })).status).toBe(200);
      expect((await post(t, '/purge', purge, { ...JSON_TYPE, ...wrong })).status).toBe(403);
    },
    traits,
  );

  add(
    'another token is a 401, and purges nothing',
    async (t) => {
      const target = '/stored/page/guarded-by-inspector';
      await t.get(target);
      const authorization = 'Bearer another-token-for-the-inspector';
      const purge = { path: target, hard: true };
      const response = await post(t, '/purge', purge, { ...JSON_TYPE, authorization });
      expect(response.status).toBe(401);
      expectHit(await t.get(target));
    },
    traits,
  );

  add(
    'who has signed in may purge from its page alone',
    async (t) => {
      const cookie = await signIn(t);
      const purge = { tag: 'no-page-has-it' };
      const own = { cookie, ...JSON_TYPE, 'sec-fetch-site': 'same-origin' };
      expect((await post(t, '/purge', purge, own)).status).toBe(200);
      const origin = { cookie, ...JSON_TYPE, origin: 'https://shop.example' };
      expect((await post(t, '/purge', purge, origin)).status).toBe(200);
      const strangers = [
        { ...own, 'sec-fetch-site': 'cross-site' },
        { ...own, 'sec-fetch-site': 'same-site' },
        { ...own, 'content-type': 'text/plain' },
        { cookie, ...JSON_TYPE },
        { cookie, ...JSON_TYPE, origin: 'https://evil.example' },
      ];
      for (const headers of strangers) {
        expect((await post(t, '/purge', purge, headers)).status).toBe(401);
      }
      expect((await t.get(`${PATH}/state`, { cookie })).status).toBe(200);
      expect((await t.get(`${PATH}/state`, { cookie: `${cookie}x` })).status).toBe(401);
    },
    { ...traits, core: false },
  );

  add(
    'its page has a policy of its own, beside that of middleware',
    async (t) => {
      const session = { cookie: await signIn(t), 'x-fixture': 'on' };
      for (const headers of [session, { 'x-fixture': 'on' }]) {
        const response = await t.get(PATH, headers);
        expect(response.status).toBe('cookie' in headers ? 200 : 401);
        const [policy, ...more] = headerLines(response, 'content-security-policy');
        expect(policy).toContain("default-src 'none'; script-src 'self'");
        expect(more).toEqual([]);
        expect(response.body.toString()).not.toMatch(
          /<script(?! type="module" src=)|<style|\son\w+=/,
        );
      }
      const script = await t.get(`${PATH}/script.js`);
      expect(headerOf(script, 'content-type')).toBe('text/javascript; charset=utf-8');
      const style = await t.get(`${PATH}/style.css`);
      expect(headerOf(style, 'content-type')).toBe('text/css; charset=utf-8');
    },
    { ...traits, core: false },
  );

  add(
    'other methods are a 405, and other paths a 404',
    async (t) => {
      const methods: readonly (readonly [method: string, part: string, allow: string])[] = [
        ['POST', '/state', 'GET, HEAD'],
        ['GET', '/purge', 'POST'],
        ['GET', '/explain', 'POST'],
        ['GET', '/sign-in', 'POST'],
      ];
      for (const [method, part, allow] of methods) {
        const response = await t.request({ method, target: PATH + part, headers: BEARER });
        expect([part, response.status]).toEqual([part, 405]);
        expect(headerLines(response, 'allow')).toEqual([allow]);
      }
      for (const part of ['/', '/other', '/state/more']) {
        const response = await t.get(PATH + part, BEARER);
        expect([part, response.status]).toEqual([part, 404]);
        expect(headerOf(response, 'cache-control')).toBe('no-store');
      }
      const head = await t.request({ method: 'HEAD', target: `${PATH}/state`, headers: BEARER });
      expect([head.status, head.body.byteLength]).toEqual([200, 0]);
      expect(t.engine.renders()).toBe(0);
    },
    { ...traits, core: false },
  );

  add(
    'it is for allowed hosts only',
    async ({ get }) => {
      const response = await get(`${PATH}/state`, { ...BEARER, host: 'evil.example' });
      expect(response.status).toBe(400);
    },
    traits,
  );
});
