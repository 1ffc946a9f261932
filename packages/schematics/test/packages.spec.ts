import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runnerOf, newApplication } from './workspace.ts';

interface PackageJson {
  peerDependencies?: Record<string, string>;
  devDependencies?: Record<string, string>;
}

function manifestOf(adapter: string): PackageJson {
  const path = new URL(`../../${adapter}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as PackageJson;
}

test.each(['node', 'koa', 'fastify', 'express'])('ng add brings the peers of %s', async (name) => {
  const tree = await runnerOf(name).runSchematic('ng-add', {}, await newApplication());
  const { dependencies } = tree.readJson('/package.json') as {
    dependencies: Record<string, string>;
  };
  const { peerDependencies = {} } = manifestOf(name);
  expect(dependencies).toMatchObject(
    Object.fromEntries(Object.keys(peerDependencies).map((peer) => [peer, expect.any(String)])),
  );
});

describe('ng update', () => {
  test('has a collection of migrations, which is empty', () => {
    const path = new URL('../dist/migrations.json', import.meta.url);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ encapsulation: true, schematics: {} });
  });
});

test('ng add @ng-ssr/fetch asks for the framework', () => {
  const path = new URL('../dist/factories/fetch.schema.json', import.meta.url);
  expect(JSON.parse(readFileSync(path, 'utf8'))).toMatchObject({
    properties: { framework: { 'x-prompt': { type: 'list' }, enum: ['hono', 'h3', 'elysia'] } },
  });
});
