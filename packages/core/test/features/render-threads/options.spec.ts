import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { type RenderThreadsOptions, withRenderThreads } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';
import { resolveRenderThreads } from '../../../src/features/render-threads/render-threads-options.ts';

const engine = () => null;

it.each([
  [{ threads: -1 }, 'withRenderThreads.threads is -1', 'a whole number from 0 to '],
  [{ threads: 1.5 }, 'withRenderThreads.threads is 1.5', "cores), or 'auto'"],
  [{ threads: 'all' }, 'withRenderThreads.threads is "all"', 'a whole number from 0 to '],
  [
    { maxHeapBytes: 8 },
    'withRenderThreads.maxHeapBytes is 8',
    'a whole number of bytes, 16777216 or more',
  ],
  [{ recycleAfter: 0 }, 'withRenderThreads.recycleAfter is 0', 'a whole number, 1 or more'],
  [
    { thread: 1 },
    'withRenderThreads.thread. Did you mean withRenderThreads.threads?',
    'threads, maxHeapBytes, recycleAfter, niceness',
  ],
  [{ niceness: 20 }, 'withRenderThreads.niceness is 20', 'a whole number from -20 to 19, or false'],
  [
    { niceness: -21 },
    'withRenderThreads.niceness is -21',
    'a whole number from -20 to 19, or false',
  ],
  [
    { niceness: true },
    'withRenderThreads.niceness is true',
    'a whole number from -20 to 19, or false',
  ],
  [2, 'withRenderThreads is 2', 'an object of options, as in { threads: 2 }'],
  [null, 'withRenderThreads is null', 'an object of options, as in { threads: 2 }'],
])('refuses %j', (options, name, allowed) => {
  const features = [withRenderThreads(options as RenderThreadsOptions)];
  const create = () => new SsrHandler({ engine, features });
  expect(create).toThrow(name);
  expect(create).toThrow(allowed);
});

it('a server has the feature once', () => {
  const features = [withRenderThreads(), withRenderThreads({ threads: 2 })];
  const create = () => new SsrHandler({ engine, features });
  expect(create).toThrow('features[1] is a second feature named "render-threads"');
});

it('the threads are auto by default', () => {
  expect(resolveRenderThreads({})).toEqual(resolveRenderThreads({ threads: 'auto' }));
  expect(resolveRenderThreads({}).threads.max).toBeGreaterThan(0);
});

it.each([
  ['16 without the feature', [], {}, 16],
  ['16 where it is off', [withRenderThreads({ threads: 0 })], {}, 16],
  ['4 per thread', [withRenderThreads({ threads: 2 })], {}, 8],
  ['that of the option', [withRenderThreads({ threads: 2 })], { concurrency: 3 }, 3],
] as const)('the concurrency is %s', async (_, features, render, concurrency) => {
  let limits: { readonly concurrency: number } | undefined;
  const install = (core: object) => {
    limits = (core as { readonly render: { readonly concurrency: number } }).render;
    return {};
  };
  const handler = new SsrHandler({
    engine,
    render,
    features: [...features, { name: 'spy', install }],
  });
  await handler.close();
  expect(limits?.concurrency).toBe(concurrency);
});

it.each([0, 1, 'auto'] as const)(
  'a server with %s render threads starts none by itself',
  (threads) => {
    const browserFolder = mkdtempSync(join(tmpdir(), 'ng-ssr-workers-'));
    onTestFinished(() => rmSync(browserFolder, { recursive: true }));
    const handler = new SsrHandler({
      engine,
      files: { folder: browserFolder },
      features: [withRenderThreads({ threads })],
    });
    return handler.close();
  },
);
