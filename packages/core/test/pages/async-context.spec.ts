import { withPrewarm } from '@ng-ssr/core';
import { AsyncLocalStorage } from 'node:async_hooks';
import { expect, it } from 'vitest';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { startProgram } from '../features/render-threads/program.ts';
import { plainExchange } from '../plain-exchange.ts';
import { advance, turn, until, useClock } from './clock.ts';
import { html, type Page, storedServer } from './stored-server.ts';

useClock();

const visitor = new AsyncLocalStorage<string>();
const greeting: Page = async () => {
  const before = visitor.getStore();
  await turn();
  return html(`${before}, ${visitor.getStore()}`, {});
};
const RULES = { '/shared/**': { sMaxAge: 10, staleWhileRevalidate: 60 } };

it('a shared route: its render reads no AsyncLocalStorage of the visitor who led it', async () => {
  const server = storedServer(greeting, { routeRules: RULES });
  const first = await visitor.run('ann', () => server.get('/shared/p'));
  expect(first.text).toBe('<!doctype html><p>undefined, undefined</p>');
  expect((await server.get('/shared/p')).isHit).toBe(true);
});

it('a shared route: its refresh reads none of the visitor who was answered with the stale page', async () => {
  const server = storedServer(greeting, { routeRules: RULES });
  await server.get('/shared/p');
  advance(11);
  await visitor.run('ann', () => server.get('/shared/p'));
  await until(() => server.requests.length === 2);
  await until(async () => (await server.get('/shared/p')).header('age') === '0');
  expect((await server.get('/shared/p')).text).not.toContain('ann');
});

it('a shared route: a render that had to wait reads none of those it waited for', async () => {
  const server = storedServer(greeting, { routeRules: RULES, render: { concurrency: 1 } });
  const names = ['ann', 'bob', 'eve'];
  const answers = await Promise.all(
    names.map((name) => visitor.run(name, () => server.get(`/shared/${name}`))),
  );
  for (const { text } of answers) expect(text).toContain('undefined, undefined');
});

it('a shared route: what one render enters is not there for the next', async () => {
  const server = storedServer(
    ({ url }) => {
      const before = visitor.getStore();
      visitor.enterWith(url);
      return html(String(before), {});
    },
    { routeRules: RULES },
  );
  for (const target of ['/shared/a', '/shared/b']) {
    expect((await server.get(target)).text).toBe('<!doctype html><p>undefined</p>');
  }
});

it('a shared route: the context that its server was created in is there', async () => {
  const server = visitor.run('program', () => storedServer(greeting, { routeRules: RULES }));
  const answer = await visitor.run('ann', () => server.get('/shared/p'));
  expect(answer.text).toContain('program, program');
});

it('other routes: the context of the request is there', async () => {
  const server = storedServer(greeting, { routeRules: RULES });
  const answer = await visitor.run('ann', () => server.get('/own'));
  expect(answer.text).toContain('ann, ann');
});

it('what is prewarmed reads nothing of the visitor whose request has started it', async () => {
  const server = storedServer(
    async () => html(String(visitor.getStore()), { 'cache-control': 's-maxage=60' }),
    { features: [withPrewarm({ origin: 'http://localhost', paths: ['/warm'] })] },
  );
  expect(server.handler).toBeInstanceOf(SsrHandler);
  await visitor.run('ann', async () => {
    server.handler.answer(plainExchange('/other'));
    await server.handler.ready();
  });
  expect((await server.get('/warm')).text).toBe('<!doctype html><p>undefined</p>');
});

it('in a thread no render reads what another has entered', async () => {
  const { get } = await startProgram({ renderThreads: { threads: 1 } });
  const texts: string[] = [];
  for (const name of ['ann', 'bob']) texts.push(await (await get(`/enters?${name}`)).text());
  expect(texts).toEqual(['undefined', 'undefined']);
}, 60_000);
