import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import type { RenderOptions } from '@ng-ssr/core';
import { SsrHandler } from '@ng-ssr/core/adapter';

it.each([
  [{ threads: -1 }, 'render.threads is -1', 'a whole number from 0 to '],
  [{ threads: 1.5 }, 'render.threads is 1.5', "cores), or 'auto'"],
  [{ threads: 'all' }, 'render.threads is "all"', 'a whole number from 0 to '],
  [{ maxHeapBytes: 8 }, 'render.maxHeapBytes is 8', 'a whole number of bytes, 16777216 or more'],
  [{ recycleAfter: 0 }, 'render.recycleAfter is 0', 'a whole number, 1 or more'],
  [
    { thread: 1 },
    'render.thread. Did you mean render.threads?',
    'threads, maxHeapBytes, recycleAfter',
  ],
  [{ niceness: 20 }, 'render.niceness is 20', 'a whole number from -20 to 19, or false'],
  [{ niceness: -21 }, 'render.niceness is -21', 'a whole number from -20 to 19, or false'],
  [{ niceness: true }, 'render.niceness is true', 'a whole number from -20 to 19, or false'],
])('refuses %j', (render, name, allowed) => {
  const engine = () => null;
  const create = () => new SsrHandler({ engine, render: render as RenderOptions });
  expect(create).toThrow(name);
  expect(create).toThrow(allowed);
});

it.each([0, 1, 'auto'] as const)(
  'a server with %s render threads starts none by itself',
  (threads) => {
    const browserFolder = mkdtempSync(join(tmpdir(), 'ng-ssr-workers-'));
    onTestFinished(() => rmSync(browserFolder, { recursive: true }));
    const handler = new SsrHandler({
      engine: () => null,
      files: { folder: browserFolder },
      render: { threads },
    });
    return handler.close();
  },
);
