import { expect, it } from 'vitest';
import { createStubEngine } from '../src/stub-engine.ts';

const ask = (path: string) => new Request(`http://shop.example${path}`);

it('counts renders by path and forgets on reset', async () => {
  const engine = createStubEngine();
  await engine(ask('/rendered?x=1'));
  await engine(ask('/rendered'));
  expect((await engine(ask('/anything')))?.status).toBe(404);
  expect([engine.renders('/rendered'), engine.renders()]).toEqual([2, 3]);
  engine.reset();
  expect(engine.renders()).toBe(0);
});

it('says in a page below /stored how often its URL was rendered, whatever was reset', async () => {
  const engine = createStubEngine();
  const page = async (path: string) => {
    const response = await engine(ask(path));
    return [response?.headers.get('x-render'), (await response?.text())?.includes('render 2<')];
  };
  expect(await page('/stored/page/one')).toEqual(['1', false]);
  expect(await page('/stored/page/one?x=1')).toEqual(['1', false]);
  engine.reset();
  expect(await page('/stored/page/one')).toEqual(['2', true]);
  expect((await engine(ask('/stored/nothing/one')))?.status).toBe(404);
});

it('holds /slow until it is released, whichever comes first', async () => {
  const engine = createStubEngine();
  const early = engine(ask('/slow'));
  (await engine.held()).release();
  expect((await early)?.status).toBe(200);
  const taken = engine.held();
  const late = engine(ask('/slow'));
  (await taken).release();
  expect((await late)?.status).toBe(200);
});

it('lets everything go on reset', async () => {
  const engine = createStubEngine();
  const page = engine(ask('/slow'));
  engine.reset();
  expect((await page)?.status).toBe(200);
});

it('fails in each of its ways', async () => {
  const engine = createStubEngine();
  expect(() => engine(ask('/boom'))).toThrow();
  await expect(engine(ask('/reject'))).rejects.toThrow();
  const halfway = await engine(ask('/halfway'));
  expect(halfway?.status).toBe(200);
  await expect(halfway?.text()).rejects.toThrow();
  expect(await engine(ask('/null'))).toBeNull();
});
