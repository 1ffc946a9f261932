import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const WRITTEN = 'rewritten /src/server.ts\n';
const read = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8');

/** The server.ts in a golden of `ng add`. */
function writtenIn(golden: string): string {
  const parts = read(`golden/${golden}/fresh with SSR.txt`).split(/^== /m);
  const part = parts.find((text) => text.startsWith(WRITTEN)) ?? expect.fail('it has no server.ts');
  return part.slice(WRITTEN.length).trim();
}

test.each([
  ['koa', 'koa'],
  ['node', 'node'],
  ['fastify', 'fastify'],
  ['express', 'express'],
  ['hono', 'fetch-hono'],
  ['h3', 'fetch-h3'],
  ['elysia', 'fetch-elysia'],
])('docs/start/%s.md shows the server.ts that ng add writes', (page, golden) => {
  const first = read(`../../../docs/start/${page}.md`).split('```ts\n')[1] ?? '';
  expect(first.split('```')[0]!.trim()).toBe(writtenIn(golden));
});
