import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { runnerOf, newApplication } from './workspace.ts';

interface PackageJson {
  peerDependencies?: Record<string, string>;
  peerDependenciesMeta?: Record<string, { optional?: boolean }>;
  devDependencies?: Record<string, string>;
}

function manifestOf(adapter: string): PackageJson {
  const path = new URL(`../../${adapter}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(path, 'utf8')) as PackageJson;
}

test.each(['node', 'koa', 'fastify', 'express'])(
  'ng add brings the peers of %s, except optional ones',
  async (name) => {
    const tree = await runnerOf(name).runSchematic('ng-add', {}, await newApplication());
    const { dependencies } = tree.readJson('/package.json') as {
      dependencies: Record<string, string>;
    };
    const { peerDependencies = {}, peerDependenciesMeta = {} } = manifestOf(name);
    for (const peer of Object.keys(peerDependencies)) {
      const isAdded = peerDependenciesMeta[peer]?.optional !== true;
      expect(dependencies[peer] !== undefined, peer).toBe(isAdded);
    }
  },
);

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
