import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import {
  copyOf,
  editBuild,
  formats,
  formatWith,
  newApplication,
  type PackageJson,
  runnerOf,
  save,
} from './workspace.ts';

const servers = [
  { adapter: 'node' },
  { adapter: 'koa' },
  { adapter: 'fastify' },
  { adapter: 'express' },
  { adapter: 'fetch', framework: 'hono' },
  { adapter: 'fetch', framework: 'h3' },
  { adapter: 'fetch', framework: 'elysia' },
] as const;
const each = servers.flatMap((server) =>
  (['app', 'common'] as const).map((engine) => ({ ...server, engine })),
);

let workspace: UnitTestTree;
beforeAll(async () => {
  workspace = await newApplication({ ssr: true });
});

async function add(
  tree: UnitTestTree,
  { adapter, ...options }: { adapter: string; framework?: string; engine?: string },
): Promise<UnitTestTree> {
  save(tree, adapter);
  return runnerOf(adapter).runSchematic('ng-add', options, tree);
}

function packagesOf(tree: UnitTestTree): string[] {
  const { dependencies, devDependencies } = tree.readJson('/package.json') as PackageJson;
  return Object.keys({ ...dependencies, ...devDependencies });
}

describe.each(each)('a server that ng add wrote: %o', (server) => {
  const next = server.adapter === 'koa' ? 'fastify' : 'koa';

  test('makes way for another adapter, with its packages, and leaves nothing', async () => {
    const first = await add(copyOf(workspace), server);
    const second = await add(first, { adapter: next });
    const fresh = await add(copyOf(workspace), { adapter: next, engine: server.engine });
    expect(second.readText('/src/server.ts')).toBe(fresh.readText('/src/server.ts'));
    expect(packagesOf(second).toSorted()).toEqual(packagesOf(fresh).toSorted());
    expect(second.files.filter((path) => path.includes('backup'))).toEqual([]);
  });

  test('does so however Prettier has formatted it', async () => {
    const first = await add(copyOf(workspace), server);
    for (const options of formats) {
      const tree = copyOf(first);
      await formatWith(tree, options, '/src/server.ts');
      const second = await add(tree, { adapter: next });
      expect(second.readText('/src/server.ts')).toContain(`'@ng-ssr/${next}'`);
    }
  });

  test("is refused, and stays, once it is the user's", async () => {
    const tree = await add(copyOf(workspace), server);
    const mine = `${tree.readText('/src/server.ts')}console.log('started');\n`;
    tree.overwrite('/src/server.ts', mine);
    await expect(add(copyOf(tree), { adapter: next })).rejects.toThrow(
      /src\/server\.ts is a server of @ng-ssr\/\w+ that you have changed: ng add @ng-ssr\/\w+ --overwrite .*NG_SSR_SERVER_FILE_CHANGED/,
    );
    expect(tree.readText('/src/server.ts')).toBe(mine);
  });
});

test('the engine of an untouched server changes with --engine', async () => {
  const first = await add(copyOf(workspace), { adapter: 'koa', engine: 'common' });
  const second = await add(copyOf(first), { adapter: 'koa', engine: 'app' });
  expect(second.readText('/src/server.ts')).toContain('appEngine()');
});

test('and so does the framework of @ng-ssr/fetch', async () => {
  const first = await add(copyOf(workspace), { adapter: 'fetch', framework: 'hono' });
  const second = await add(first, { adapter: 'fetch', framework: 'h3' });
  expect(second.readText('/src/server.ts')).toContain('@ng-ssr/fetch/h3');
  expect(packagesOf(second)).toEqual(expect.arrayContaining(['@ng-ssr/fetch', 'h3']));
  expect(packagesOf(second)).not.toContain('hono');
});

test('a server with changes keeps its engine', async () => {
  const tree = await add(copyOf(workspace), { adapter: 'koa' });
  tree.overwrite('/src/server.ts', `${tree.readText('/src/server.ts')}\nexport const mine = 1;\n`);
  const before = tree.readText('/angular.json');
  await expect(add(tree, { adapter: 'koa', engine: 'common' })).rejects.toThrow(
    /for another engine or framework, and you have changed it: ng add .* --overwrite .*NG_SSR_SERVER_FILE_CHANGED/,
  );
  expect(tree.readText('/angular.json')).toBe(before);
});

test('packages that something else names stay', async () => {
  const tree = await add(copyOf(workspace), { adapter: 'koa' });
  tree.create('/tools/mock.mjs', `import Koa from 'koa';\nnew Koa().listen(1234);\n`);
  const second = await add(tree, { adapter: 'node' });
  expect(packagesOf(second)).toEqual(expect.arrayContaining(['koa', '@types/koa']));
  expect(packagesOf(second)).not.toContain('@koa/router');
  expect(packagesOf(second)).not.toContain('@ng-ssr/koa');
});

test("changes of the build do not make it the user's", async () => {
  const tree = await add(copyOf(workspace), { adapter: 'koa' });
  editBuild(tree, (options) => {
    options['security'] = { allowedHosts: ['shop.example'] };
    options['outputPath'] = { base: 'out', browser: 'public' };
  });
  const second = await add(tree, { adapter: 'fastify' });
  expect(second.readText('/src/server.ts')).toContain(`'@ng-ssr/fastify'`);
});

test('one backup stays of a server with changes, whatever adapters come and go', async () => {
  const tree = copyOf(workspace);
  const mine = `${tree.readText('/src/server.ts')}\nexport const mine = 1;\n`;
  tree.overwrite('/src/server.ts', mine);
  save(tree, 'koa');
  let after = await runnerOf('koa').runSchematic('ng-add', { overwrite: true }, tree);
  after = await add(after, { adapter: 'fastify' });
  after = await add(after, { adapter: 'express' });
  expect(after.files.filter((path) => path.includes('backup'))).toEqual(['/src/server.ts.backup']);
  expect(after.readText('/src/server.ts.backup')).toBe(mine);
  expect(after.readText('/src/server.ts')).toContain(`'@ng-ssr/express'`);
});
