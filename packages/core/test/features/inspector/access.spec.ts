import { expect, it } from 'vitest';
import { withSpeculationRules } from '@ng-ssr/core';
import type { Exchange } from '@ng-ssr/core/adapter';
import { plainExchange } from '../../plain-exchange.ts';
import { fromPage, inspectedServer, PATH, TOKEN } from './inspected-server.ts';

const FORM = `token=${TOKEN}`;
/** What a browser adds to each request behind a proxy that asks for a user (RFC 7617). */
const BASIC = { authorization: `Basic ${Buffer.from('ann:password').toString('base64')}` };

/** Signs in below a mount, and returns the headers of the answer. */
async function signInBelow(mount: string): Promise<string[]> {
  const server = inspectedServer();
  const exchange: Exchange = {
    ...plainExchange(`${mount}${PATH}/sign-in`, {}, 'POST'),
    targetBelowMount: `${PATH}/sign-in`,
    content: () => Promise.resolve(Buffer.from(FORM)),
  };
  const answer = await server.ask(exchange);
  expect(answer.status).toBe(303);
  return answer.header('set-cookie')!.split('; ');
}

it('a session works behind HTTP Basic, for the page, its data and changes', async () => {
  const server = inspectedServer();
  const headers = { ...BASIC };
  const signIn = await server.inspect('/sign-in', { method: 'POST', headers, content: FORM });
  expect(signIn.status).toBe(303);
  const cookie = signIn.header('set-cookie')!.split(';')[0]!;
  const session = fromPage(cookie, BASIC);
  expect((await server.inspect('', { headers: session })).status).toBe(200);
  expect((await server.inspect('/state', { headers: session })).status).toBe(200);
  const purge = { method: 'POST', content: { path: '/a' } };
  expect((await server.inspect('/purge', { ...purge, headers: session })).status).toBe(200);
  // The credentials of the proxy open nothing, and a page of another site no session.
  expect((await server.inspect('/state', { headers: BASIC })).status).toBe(403);
  const foreign = fromPage(cookie, { ...BASIC, 'sec-fetch-site': 'cross-site' });
  expect((await server.inspect('/purge', { ...purge, headers: foreign })).status).toBe(403);
  expect((await server.inspect('/state', { headers: foreign })).status).toBe(403);
});

it('RFC 6265 section 4.1.1: a path with a semicolon adds no attributes to the cookie', async () => {
  const attributes = ['Max-Age=28800', 'HttpOnly', 'SameSite=Strict'];
  expect((await signInBelow('/shop')).slice(1)).toEqual([`Path=/shop${PATH}`, ...attributes]);
  const mounts = { '/a;Domain=evil.example': '/', '/shop/a;SameSite=None;x/b': '/shop', '/;': '/' };
  for (const [mount, path] of Object.entries(mounts)) {
    expect((await signInBelow(mount)).slice(1)).toEqual([`Path=${path}`, ...attributes]);
  }
});

it('a client that leaves while it sends is not reported', async () => {
  const server = inspectedServer();
  const interrupted = (part: string, headers: Readonly<Record<string, string>>): Exchange => ({
    ...plainExchange(PATH + part, headers, 'POST'),
    content: () => Promise.reject(new Error('aborted')),
  });
  const bearer = { authorization: `Bearer ${TOKEN}` };
  expect((await server.ask(interrupted('/sign-in', {}))).status).toBe(401);
  expect((await server.ask(interrupted('/purge', bearer))).status).toBe(400);
  expect((await server.ask(interrupted('/explain', bearer))).status).toBe(400);
  expect(server.errors).toEqual([]);
});

it('its page has no speculation rules', async () => {
  const server = inspectedServer(undefined, { features: [withSpeculationRules()] });
  const page = await server.inspect('');
  expect([page.status, page.header('speculation-rules')]).toEqual([200, undefined]);
  expect((await server.get('/a')).header('speculation-rules')).toBeDefined();
});
