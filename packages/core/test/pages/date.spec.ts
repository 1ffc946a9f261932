import { expect, it } from 'vitest';
import { advance, httpDate, START, useClock } from './clock.ts';
import { html, numbered, type Seen, storedServer } from './stored-server.ts';

useClock();

/** How long a cache behind this server still uses an answer by Expires (RFC 9111 section 4.2). */
function remainingSeconds(answer: Seen): number {
  const lifetimeMs = Date.parse(answer.field('expires')!) - Date.parse(answer.field('date')!);
  return lifetimeMs / 1000 - Number(answer.field('age'));
}

it('RFC 9111 section 4.2.3: a page that Expires is aged once by the caches in front', async () => {
  const server = storedServer(() => html('page', { expires: httpDate(60) }));
  for (const age of [0, 10, 40]) {
    advance(age === 0 ? 0 : age === 10 ? 10 : 30);
    const answer = await server.get('/p');
    expect(answer.field('age')).toBe(String(age));
    expect(answer.field('date')).toBe(new Date(START).toUTCString());
    expect(remainingSeconds(answer)).toBe(60 - age);
  }
  expect(server.requests).toHaveLength(1);
});

it('RFC 9110 section 15.4.5: a 304, HEAD and a part have the Date of the stored page', async () => {
  const server = numbered({ 'cache-control': 's-maxage=60' });
  const etag = (await server.get('/p')).field('etag')!;
  advance(10);
  for (const [status, fields, method] of [
    [304, { 'if-none-match': etag }, 'GET'],
    [200, {}, 'HEAD'],
    [206, { range: 'bytes=0-3' }, 'GET'],
  ] as const) {
    const answer = await server.get('/p', fields, method);
    expect([answer.status, answer.field('age'), answer.field('date')]).toEqual([
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
      expect([answer.field('date'), answer.field('age')]).toEqual([sent, age]);
    }
  }
});

it('a refreshed page has a Date of its own', async () => {
  const server = numbered({ 'cache-control': 's-maxage=60' });
  await server.get('/p');
  advance(61);
  const answer = await server.get('/p');
  expect([answer.field('age'), answer.field('date')]).toEqual(['0', httpDate()]);
});
