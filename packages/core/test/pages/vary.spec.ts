import { expect, it } from 'vitest';
import { advance, until, useClock } from './clock.ts';
import { html, type Seen, storedServer, type StoredServer } from './stored-server.ts';

useClock();

type HeaderRecord = Readonly<Record<string, string>>;

/** Pages that show the headers they vary by. */
function varying(vary: string, options?: Parameters<typeof storedServer>[1]): StoredServer {
  const names = vary.split(',').map((name) => name.trim());
  return storedServer((request, count) => {
    const values = names.map((name) => `${name}=${request.headers.get(name)}`);
    return html(`${count}: ${values.join(' ')}`, { 'cache-control': 's-maxage=60', vary });
  }, options);
}

async function hits(server: StoredServer, headers: HeaderRecord): Promise<boolean> {
  return (await server.get('/p', headers)).isHit;
}

it('RFC 9111 section 4.1: a page is for requests with the same value of the header', async () => {
  const server = varying('x-kind');
  const first = await server.get('/p', { 'x-kind': 'a' });
  expect([first.cache, first.header('vary')]).toEqual([
    'fwd=uri-miss; stored',
    'x-kind, Accept-Encoding',
  ]);
  expect(await hits(server, { 'x-kind': 'a' })).toBe(true);
  const other = await server.get('/p', { 'x-kind': 'b' });
  expect([other.cache, other.text]).toEqual([
    'fwd=vary-miss; stored',
    '<!doctype html><p>2: x-kind=b</p>',
  ]);
  expect(await hits(server, { 'x-kind': 'b' })).toBe(true);
  expect(await hits(server, { 'x-kind': 'a' })).toBe(true);
  expect(await hits(server, { 'x-kind': 'A' })).toBe(false);
});

it('RFC 9111 section 4.1: an absent header differs from an empty one', async () => {
  const server = varying('x-kind');
  await server.get('/p');
  expect(await hits(server, { 'x-kind': '' })).toBe(false);
  expect(await hits(server, {})).toBe(true);
  expect(await hits(server, { 'x-kind': '' })).toBe(true);
  // What looks like an absent header's mark is a value.
  expect(await hits(server, { 'x-kind': '-' })).toBe(false);
});

it('RFC 9111 section 4.1: all headers must match, whatever their order and case in Vary', async () => {
  const server = storedServer((_request, count) =>
    html(`${count}`, {
      'cache-control': 's-maxage=60',
      vary: ['X-B, x-a', 'x-a,X-B', ' X-A ,, x-b,x-a '][(count - 1) % 3]!,
    }),
  );
  for (const a of ['1', '2']) {
    for (const b of ['1', '2']) expect(await hits(server, { 'x-a': a, 'x-b': b })).toBe(false);
  }
  for (const a of ['1', '2']) {
    for (const b of ['1', '2']) expect(await hits(server, { 'x-a': a, 'x-b': b })).toBe(true);
  }
  expect(await hits(server, { 'x-a': '1' })).toBe(false);
});

it('RFC 9111 section 4.1: values do not run into one another', async () => {
  const server = varying('x-a, x-b');
  await server.get('/p', { 'x-a': '1=x-b', 'x-b': '2' });
  expect(await hits(server, { 'x-a': '1', 'x-b': 'x-b=2' })).toBe(false);
  expect(await hits(server, { 'x-a': '1=x-b x-b=2' })).toBe(false);
});

it('RFC 9111 section 4.1: several lines of Vary are one list', async () => {
  const server = storedServer((_request, count) => {
    const page = html(`${count}`, { 'cache-control': 's-maxage=60', vary: 'x-a' });
    page.headers.append('vary', 'x-b');
    return page;
  });
  await server.get('/p', { 'x-a': '1', 'x-b': '1' });
  expect(await hits(server, { 'x-a': '1', 'x-b': '2' })).toBe(false);
  expect(await hits(server, { 'x-a': '1', 'x-b': '1' })).toBe(true);
});

it('RFC 9111 section 4.1: space around a value does not matter', async () => {
  const server = varying('x-kind');
  await server.get('/p', { 'x-kind': ' a ' });
  expect(await hits(server, { 'x-kind': 'a' })).toBe(true);
});

it('RFC 9111 section 4.1: Vary: Cookie keeps one person from the page of another', async () => {
  const server = varying('cookie');
  const answers: Seen[] = [];
  for (const cookie of ['user=ann', 'user=bob', 'user=ann; theme=dark']) {
    answers.push(await server.get('/p', { cookie }));
    expect((await server.get('/p', { cookie })).text).toBe(answers.at(-1)!.text);
  }
  answers.push(await server.get('/p'));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(4);
  expect(server.requests).toHaveLength(4);
});

it('RFC 9111 section 4.1: Vary: Accept-Encoding makes no variants, encodings are made here', async () => {
  const server = varying('Accept-Encoding');
  await server.get('/p', { 'accept-encoding': 'br' });
  expect(await hits(server, { 'accept-encoding': 'gzip' })).toBe(true);
  expect(await hits(server, {})).toBe(true);
});

it('RFC 9111 section 4.1: languages count as the ones the application has', async () => {
  const server = varying('accept-language', { cache: { languages: ['en', 'de', 'pt-BR'] } });
  const languages: Readonly<Record<string, readonly string[]>> = {
    de: ['de-AT,de;q=0.9,en;q=0.5', 'de', 'DE-ch', 'fr, de;q=0.5'],
    en: ['fr', 'en-GB', '*', 'de;q=0, en', 'pt'],
    'pt-BR': ['pt-BR-x-old', 'pt-br'],
  };
  for (const [language, values] of Object.entries(languages)) {
    for (const value of values) {
      const { text } = await server.get('/p', { 'accept-language': value });
      expect(text, value).toContain(`accept-language=${language}<`);
    }
  }
  expect(await hits(server, {})).toBe(true);
  expect(server.requests).toHaveLength(3);
});

it('RFC 9111 section 4.1: what varies by more than eight headers is not stored', async () => {
  const names = (count: number): string => Array.from({ length: count }, (_, i) => `x-${i}`).join();
  expect((await varying(names(8)).get('/p')).cache).toBe('fwd=uri-miss; stored');
  const server = varying(names(9));
  expect((await server.get('/p')).cache).toBe('fwd=uri-miss; detail=vary-too-many');
  expect(await hits(server, {})).toBe(false);
});

it('RFC 9111 section 4.1: the latest Vary counts, when a page begins to vary and when it ceases', async () => {
  const varies = ['', 'x-kind', 'x-kind', '', ''];
  const server = storedServer((request, count) =>
    html(`${count} for ${request.headers.get('x-kind')}`, {
      'cache-control': 's-maxage=10',
      ...(varies[count - 1] && { vary: varies[count - 1] }),
    }),
  );
  await server.get('/p', { 'x-kind': 'a' });
  expect(await hits(server, { 'x-kind': 'b' })).toBe(true);
  advance(11);
  expect((await server.get('/p', { 'x-kind': 'a' })).text).toContain('2 for a');
  expect((await server.get('/p', { 'x-kind': 'b' })).text).toContain('3 for b');
  expect((await server.get('/p', { 'x-kind': 'a' })).text).toContain('2 for a');
  advance(11);
  expect((await server.get('/p', { 'x-kind': 'a' })).text).toContain('4 for a');
  expect((await server.get('/p', { 'x-kind': 'b' })).text).toContain('4 for a');
});

it('RFC 9111 section 4.1: requests for several variants of a cold page render each once', async () => {
  const server = storedServer(async (request) => {
    await new Promise((resolve) => setImmediate(resolve));
    const kind = request.headers.get('x-kind');
    return html(`kind ${kind}`, { 'cache-control': 's-maxage=60', vary: 'x-kind' });
  });
  const kinds = Array.from({ length: 100 }, (_, i) => `${i % 4}`);
  const answers = await Promise.all(kinds.map((kind) => server.get('/p', { 'x-kind': kind })));
  expect(answers.map(({ text }) => text)).toEqual(
    kinds.map((kind) => `<!doctype html><p>kind ${kind}</p>`),
  );
  expect(server.requests).toHaveLength(4);
});

it('RFC 9111 section 4.1: a stale variant is re-rendered by itself', async () => {
  const server = storedServer((request, count) =>
    html(`${count} for ${request.headers.get('x-kind')}`, {
      'cache-control': 's-maxage=10, stale-while-revalidate=60',
      vary: 'x-kind',
    }),
  );
  await server.get('/p', { 'x-kind': 'a' });
  advance(8);
  await server.get('/p', { 'x-kind': 'b' });
  advance(3);
  expect((await server.get('/p', { 'x-kind': 'a' })).text).toContain('1 for a');
  await until(async () => (await server.get('/p', { 'x-kind': 'a' })).text.includes('3 for a'));
  expect((await server.get('/p', { 'x-kind': 'b' })).text).toContain('2 for b');
  expect(server.requests).toHaveLength(3);
});

it('RFC 9111 section 4.1: Vary names that every object has are names like others', async () => {
  const server = varying('constructor');
  await server.get('/p', { constructor: 'a' });
  expect(await hits(server, { constructor: 'b' })).toBe(false);
  expect(await hits(server, { constructor: 'a' })).toBe(true);
});

it('the count of cached pages is that of the listed ones', async () => {
  const server = varying('x-kind');
  await server.get('/p', { 'x-kind': 'a' });
  await server.get('/p', { 'x-kind': 'b' });
  const { cache } = server.handler;
  expect(cache.inspect()).toMatchObject({ count: 2, pages: [{}, {}] });
  await cache.purge({ path: '/p', hard: true });
  await server.get('/p', { 'x-kind': 'a' });
  await server.get('/p', { 'x-kind': 'b' });
  expect(cache.inspect()).toMatchObject({ count: 2, pages: [{}, {}] });
});
