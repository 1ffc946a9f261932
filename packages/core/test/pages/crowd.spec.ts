import { expect, it } from 'vitest';
import { advance, turn, until, useClock } from './clock.ts';
import { html, type Page, storedServer } from './stored-server.ts';

useClock();

const SHARED = { 'cache-control': 's-maxage=60' };

/** A page whose renders end when the test says so. */
function held(page: Page): { readonly page: Page; readonly landings: (() => void)[] } {
  const landings: (() => void)[] = [];
  return {
    landings,
    page: async (request, count, context) => {
      await new Promise<void>((resolve) => landings.push(resolve));
      return page(request, count, context);
    },
  };
}

it('ten thousand wait for one render, and the next gets 503 at once', async () => {
  const { page, landings } = held(() => html('page', SHARED));
  const server = storedServer(page);
  const waiting = Array.from({ length: 10_001 }, () => server.get('/p'));
  await until(() => landings.length === 1);
  const tooMany = await server.get('/p');
  expect([tooMany.status, tooMany.header('retry-after')]).toEqual([503, '1']);
  expect(tooMany.header('cache-control')).toBe('no-store');
  landings[0]!();
  const answers = await Promise.all(waiting);
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(10_001);
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const statuses = new Set(answers.map(({ cache }) => cache));
  expect(statuses).toEqual(new Set(['fwd=uri-miss; stored', 'fwd=uri-miss; collapsed']));
  expect(server.requests).toHaveLength(1);
  expect((await server.get('/p')).cache).toBe('hit; ttl=60');
});

it('a private page of a crowd reaches no other request', async () => {
  const server = storedServer(async (request) => {
    await turn();
    return html(request.headers.get('cookie') ?? '', { 'cache-control': 'private' });
  });
  const users = Array.from({ length: 50 }, (_, i) => `user=${i}`);
  const answers = await Promise.all(users.map((cookie) => server.get('/p', { cookie })));
  expect(answers.map(({ text }) => text)).toEqual(
    users.map((user) => `<!doctype html><p>${user}</p>`),
  );
  expect(server.requests).toHaveLength(50);
});

it('requests that have waited for a failed render leave their places to others', async () => {
  const { page, landings } = held(({ url }) => {
    if (url.endsWith('/bad')) throw new Error('cracked');
    return html('page', SHARED);
  });
  const server = storedServer(page);
  const failed = Array.from({ length: 10_001 }, () => server.get('/bad'));
  for (const tries of [1, 2]) {
    await until(() => landings.length === tries);
    landings.at(-1)!();
  }
  expect(new Set((await Promise.all(failed)).map(({ status }) => status))).toEqual(new Set([500]));
  expect(server.errors).toHaveLength(2);
  const waiting = [server.get('/p'), server.get('/p')];
  await until(() => landings.length === 3);
  landings.at(-1)!();
  expect((await Promise.all(waiting)).map(({ status }) => status)).toEqual([200, 200]);
});

it('requests that have waited for a failed page of a shared route leave their places, too', async () => {
  const { page, landings } = held(() => html('sorry', {}, 503));
  const server = storedServer(page, { routeRules: { '/**': { sMaxAge: 60 } } });
  const failed = Array.from({ length: 10_001 }, () => server.get('/p'));
  await until(() => landings.length === 1);
  landings[0]!();
  await Promise.all(failed);
  const waiting = [server.get('/q'), server.get('/q')];
  await until(() => landings.length === 2);
  landings[1]!();
  const answers = await Promise.all(waiting);
  expect(answers.map(({ text }) => text)).toEqual(Array(2).fill('<!doctype html><p>sorry</p>'));
});

it('renders of different pages do not wait for one another', async () => {
  const { page, landings } = held((request) => html(new URL(request.url).pathname, SHARED));
  const server = storedServer(page);
  const answers = ['/1', '/2', '/3'].map((target) => server.get(target));
  await until(() => landings.length === 3);
  landings[2]!();
  expect((await answers[2]!).text).toContain('/3');
  landings[1]!();
  landings[0]!();
  expect((await answers[0]!).text).toContain('/1');
});

it('once a page is known to be for one reader alone, no request waits for another’s', async () => {
  const { page, landings } = held((request) =>
    html(String(request.headers.get('cookie')), { 'cache-control': 'private' }),
  );
  const server = storedServer(page);
  const first = server.get('/p', { cookie: 'user=0' });
  await until(() => landings.length === 1);
  landings[0]!();
  await first;
  const others = [1, 2, 3].map((i) => server.get('/p', { cookie: `user=${i}` }));
  await until(() => landings.length === 4);
  for (const land of landings.slice(1)) land();
  expect((await Promise.all(others)).map(({ text }) => text)).toEqual(
    [1, 2, 3].map((i) => `<!doctype html><p>user=${i}</p>`),
  );
});

it('a page that was for one reader alone is stored once its next render is storable', async () => {
  const server = storedServer((request, count) =>
    request.headers.has('cookie')
      ? html(`${count}`, { 'cache-control': 'private', vary: 'cookie' })
      : html(`${count}`, { ...SHARED, vary: 'cookie' }),
  );
  await server.get('/p', { cookie: 'user=ann' });
  expect((await server.get('/p')).cache).toMatch(/; stored$/);
  expect((await server.get('/p')).isHit).toBe(true);
  expect((await server.get('/p', { cookie: 'user=ann' })).isHit).toBe(false);
  expect((await server.get('/p')).isHit).toBe(true);
});

it('a failed render costs the requests that wait at most one more render', async () => {
  for (const wrong of [
    () => {
      throw new Error('cracked');
    },
    () => html('sorry', {}, 503),
  ] as Page[]) {
    const server = storedServer(async (request, count, context) => {
      await turn();
      return count === 1 ? wrong(request, count, context) : html('whole', SHARED);
    });
    const answers = await Promise.all(Array.from({ length: 50 }, () => server.get('/p')));
    expect(answers.filter(({ status }) => status >= 500)).toHaveLength(1);
    expect(answers.filter(({ text }) => text.includes('whole'))).toHaveLength(49);
    expect(server.requests).toHaveLength(2);
  }
});

it('an expired page is rendered once for all requests', async () => {
  const { page, landings } = held((_request, count) => html(`render ${count}`, SHARED));
  const server = storedServer(page);
  const first = server.get('/p');
  await until(() => landings.length === 1);
  landings[0]!();
  await first;
  advance(61);
  const crowd = Array.from({ length: 100 }, () => server.get('/p'));
  await until(() => landings.length === 2);
  landings[1]!();
  expect(new Set((await Promise.all(crowd)).map(({ text }) => text))).toEqual(
    new Set(['<!doctype html><p>render 2</p>']),
  );
  expect(server.requests).toHaveLength(2);
});

it('a redirect that stands in for a page in time keeps the parameters its page has not seen', async () => {
  const server = storedServer(
    (_request, count) =>
      count === 1
        ? new Response(null, {
            status: 301,
            headers: { location: '/q', 'cache-control': 's-maxage=10, stale-if-error=3600' },
          })
        : new Promise(() => undefined),
    { render: { maxWaitMs: 50 } },
  );
  await server.get('/p');
  advance(11);
  const answer = await server.get('/p?utm_source=x');
  expect([answer.status, answer.header('location')]).toEqual([301, '/q?utm_source=x']);
});

it('a shared route: requests that wait get a failed page without its headers for one client', async () => {
  const { page, landings } = held(() => {
    const answer = html('sorry', { 'cache-control': 'no-store', 'x-kind': 'a' }, 503);
    answer.headers.append('set-cookie', 'session=ann');
    answer.headers.append('set-cookie', 'csrf=ann');
    answer.headers.append('authentication-info', 'nextnonce="ann"');
    return answer;
  });
  const server = storedServer(page, { routeRules: { '/p': { sMaxAge: 60 } } });
  const answers = [1, 2, 3].map(() => server.get('/p'));
  await until(() => landings.length === 1);
  landings[0]!();
  const [leader, ...others] = await Promise.all(answers);
  expect(leader!.header('set-cookie')).toBe('session=ann, csrf=ann');
  for (const other of others) {
    expect([other.status, other.text, other.header('x-kind')]).toEqual([503, leader!.text, 'a']);
    expect(other.headers.join()).not.toContain('ann');
  }
  expect(server.requests).toHaveLength(1);
});
