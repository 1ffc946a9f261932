import { expect, it } from 'vitest';
import { advance, turn, useClock } from './clock.ts';
import { html, numbered, storedServer } from './stored-server.ts';

useClock();

const SHARED = { 'cache-control': 's-maxage=60' };

/** One member of the list: this cache's name, and parameters of the kinds section 2 lists. */
const MEMBER =
  /^ng-ssr; (?:hit(?:; ttl=-?\d+)?|fwd=(?:uri-miss|vary-miss|stale|bypass)(?:; stored|; collapsed|; detail=[\w-]+)?)$/;

it('RFC 9211 section 2: every answer says once what the cache did', async () => {
  const server = storedServer((request) => {
    const headers = new URL(request.url).searchParams.get('h') ?? '{}';
    return html('page', JSON.parse(headers) as Record<string, string>);
  });
  for (const headers of [
    SHARED,
    {},
    { 'cache-control': 'private' },
    { ...SHARED, 'cache-status': 'ng-ssr; hit' },
    { ...SHARED, vary: 'cookie' },
  ]) {
    const target = `/p?h=${encodeURIComponent(JSON.stringify(headers))}`;
    for (let i = 0; i < 3; i++) {
      const answer = await server.get(target);
      const members = answer.header('cache-status')!.split(', ');
      expect(members.at(-1)).toMatch(MEMBER);
      expect(members.filter((member) => !MEMBER.test(member))).toEqual([]);
      advance(25);
    }
  }
});

it('RFC 9211 section 2.1 and 2.4: a hit says for how long the page is still fresh', async () => {
  const headers = { 'cache-control': 's-maxage=60, stale-while-revalidate=60' };
  const server = storedServer((_request, count) =>
    count === 1 ? html('page', headers) : new Promise(() => undefined),
  );
  await server.get('/p');
  for (const ttl of [60, 59, 1, 0]) {
    expect((await server.get('/p')).header('cache-status')).toBe(`ng-ssr; hit; ttl=${ttl}`);
    advance(ttl === 60 ? 1 : ttl === 59 ? 58 : ttl);
  }
  advance(30);
  expect((await server.get('/p')).header('cache-status')).toBe('ng-ssr; hit; ttl=-30');
});

it('RFC 9211 section 2.2 and 2.5: a miss says why it was forwarded, and that it was stored', async () => {
  const server = numbered({ ...SHARED, vary: 'x-kind' });
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; stored');
  expect((await server.get('/p', { 'x-kind': 'a' })).cache).toBe('fwd=vary-miss; stored');
  advance(60);
  expect((await server.get('/p')).cache).toBe('fwd=stale; stored');
  expect((await server.get('/p', { 'x-kind': 'b' })).cache).toBe('fwd=vary-miss; stored');
});

it('RFC 9211 section 2.6: requests that waited for another request’s render are collapsed', async () => {
  const server = storedServer(async () => {
    await turn();
    return html('page', SHARED);
  });
  const answers = await Promise.all([server.get('/p'), server.get('/p'), server.get('/p')]);
  expect(answers.map(({ cache }) => cache)).toEqual([
    'fwd=uri-miss; stored',
    'fwd=uri-miss; collapsed',
    'fwd=uri-miss; collapsed',
  ]);
});

it('RFC 9211 section 2.6: requests that waited in vain are not collapsed', async () => {
  const server = storedServer(async () => {
    await turn();
    return html('page', { 'cache-control': 'private' });
  });
  const answers = await Promise.all([server.get('/p'), server.get('/p'), server.get('/p')]);
  for (const { cache } of answers) expect(cache).toBe('fwd=uri-miss; detail=private');
});

it('RFC 9211 section 2.8: an answer of ours says which error it is', async () => {
  const server = storedServer(() => {
    throw new Error('cracked');
  });
  expect((await server.get('/p')).cache).toBe('detail=NG_SSR_RENDER_FAILED');
});

it('RFC 9211 section 2: Cache-Status of a cache between engine and backend is not repeated on a hit', async () => {
  const server = numbered({ ...SHARED, 'cache-status': 'inner; hit; ttl=5' });
  await server.get('/p');
  expect((await server.get('/p')).header('cache-status')).toBe('ng-ssr; hit; ttl=60');
});
