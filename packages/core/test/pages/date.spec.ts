import { expect, it } from 'vitest';
import { advance, httpDate, START, useClock } from './clock.ts';
import { html, numbered, type Seen, storedServer } from './stored-server.ts';

useClock();

/** How long a cache behind this server still uses an answer by Expires (RFC 9111 section 4.2). */
function remainingSeconds(answer: Seen): number {
  const lifetimeMs = Date.parse(answer.header('expires')!) - Date.parse(answer.header('date')!);
  return lifetimeMs / 1000 - Number(answer.header('age'));
}

it('RFC 9111 section 4.2.3: a page that Expires is aged once by the caches in front', async () => {
  const server = storedServer(() => html('page', { expires: httpDate(60) }));
  for (const age of [0, 10, 40]) {
    advance(age === 0 ? 0 : age === 10 ? 10 : 30);
    const answer = await server.get('/p');
    expect(answer.header('age')).toBe(String(age));
    expect(answer.header('date')).toBe(new Date(START).toUTCString());
    expect(remainingSeconds(answer)).toBe(60 - age);
  }
  expect(server.requests).toHaveLength(1);
});

it('RFC 9110 section 15.4.5: a 304, HEAD and a part have the Date of the stored page', async () => {
  const server = numbered({ 'cache-control': 's-maxage=60' });
  const etag = (await server.get('/p')).header('etag')!;
  advance(10);
  for (const [status, headers, method] of [
    [304, { 'if-none-match': etag }, 'GET'],
    [200, {}, 'HEAD'],
    [206, { range: 'bytes=0-3' }, 'GET'],
  ] as const) {
    const answer = await server.get('/p', headers, method);
    expect([answer.status, answer.header('age'), answer.header('date')]).toEqual([
      status,
      '10',
      new Date(START).toUTCString(),
    ]);
  }
});

it("RFC 9110 section 6.6.1: a page's own Date stays, and what is none gives way", async () => {
  for (const [own, sent, age] of [
    [httpDate(-5), httpDate(-5), '5'],
    [httpDate(5), httpDate(5), '0'],
    ['yesterday', httpDate(), '0'],
  ] as const) {
    const server = numbered({ 'cache-control': 's-maxage=60', date: own });
    for (let i = 0; i < 2; i++) {
      const answer = await server.get('/p');
      expect([answer.header('date'), answer.header('age')]).toEqual([sent, age]);
    }
  }
});

it('a refreshed page has a Date of its own', async () => {
  const server = numbered({ 'cache-control': 's-maxage=60' });
  await server.get('/p');
  advance(61);
  const answer = await server.get('/p');
  expect([answer.header('age'), answer.header('date')]).toEqual(['0', httpDate()]);
});
