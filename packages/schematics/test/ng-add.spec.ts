import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { describe, expect, test } from 'vitest';
import { describeChanges, filesOf } from './changes.ts';
import { expectGolden } from './golden.ts';
import { starts } from './starts.ts';
import { newApplication, runnerOf, save } from './workspace.ts';

async function run(
  adapter: string,
  tree: UnitTestTree,
  options: object = {},
  schematic = 'ng-add',
): Promise<{ tree: UnitTestTree; said: string[]; changes: string }> {
  const runner = runnerOf(adapter);
  const said: string[] = [];
  runner.logger.subscribe(({ level, message }) =>
    said.push(level === 'info' ? message : `${level}: ${message}`),
  );
  const before = filesOf(tree);
  const after = await runner.runSchematic(schematic, options, tree);
  return { tree: after, said, changes: describeChanges(before, filesOf(after), said) };
}

describe.each(Object.keys(starts))('ng add @ng-ssr/koa on: %s', (name) => {
  const { create, options } = starts[name]!;

  test('does what the golden says, and nothing the second time', async () => {
    const first = await run('koa', await create('koa'), options);
    expectGolden(`koa/${name}`, first.changes);

    const second = await run('koa', first.tree, options);
    expect(second.changes).toMatch(/^== says\n.* already; nothing was changed\.\n$/);
  });
});

describe.each([
  ['node', {}],
  ['fastify', {}],
  ['express', {}],
  ['fetch', { framework: 'hono' }],
  ['fetch', { framework: 'h3' }],
  ['fetch', { framework: 'elysia' }],
] as const)('ng add @ng-ssr/%s %o', (adapter, options) => {
  const file = `${adapter}${'framework' in options ? `-${options.framework}` : ''}`;

  test.each(['fresh with SSR', 'CommonEngine'])('on: %s', async (name) => {
    const first = await run(adapter, await starts[name]!.create(adapter), options);
    expectGolden(`${file}/${name}`, first.changes);

    const second = await run(adapter, first.tree, options);
    expect(second.changes).toMatch(/^== says\n.* already; nothing was changed\.\n$/);
  });
});

describe('a server.ts that somebody has changed', () => {
  const changed = async (): Promise<UnitTestTree> => {
    const tree = await newApplication({ ssr: true });
    save(tree, 'koa');
    const text = tree.readText('/src/server.ts');
    tree.overwrite(
      '/src/server.ts',
      text.replace('const app', `// mine\nconst mine = 1;\nconst app`),
    );
    return tree;
  };

  test('is refused without --overwrite', async () => {
    await expect(run('koa', await changed())).rejects.toThrow(
      'src/server.ts is not as Angular CLI wrote it: --overwrite replaces it and keeps a backup, ' +
        'ng generate @ng-ssr/koa:server writes src/server.koa.ts beside it. (NG_SSR_SERVER_FILE_CHANGED)',
    );
  });

  test('is replaced with it, and a backup stays', async () => {
    const start = await changed();
    const mine = start.readText('/src/server.ts');
    const { tree, changes } = await run('koa', start, { overwrite: true });
    expect(tree.readText('/src/server.ts.backup')).toBe(mine);
    expectGolden('koa/overwrite', changes);
  });

  test('gets its neighbour by ng generate', async () => {
    const { tree, changes } = await run('koa', await changed(), {}, 'server');
    expectGolden('koa/server beside', changes);
    const again = await run('koa', tree, {}, 'server');
    expect(again.changes).toMatch(/nothing was changed/);
  });

  test('is recognised however it is formatted', async () => {
    const tree = await newApplication({ ssr: true });
    const text = tree.readText('/src/server.ts');
    tree.overwrite('/src/server.ts', text.replaceAll("'", '"').replaceAll('  ', '\t'));
    const { said } = await run('koa', tree);
    expect(said.join('\n')).toContain('wrote src/server.ts');
  });
});

describe('another adapter', () => {
  test('is refused by ng add, and put beside by ng generate', async () => {
    const { tree } = await run('koa', await starts['fresh with SSR']!.create('koa'));
    save(tree, 'fastify');
    await expect(run('fastify', tree)).rejects.toThrow(
      /src\/server\.ts is a server of @ng-ssr\/koa: --overwrite .*NG_SSR_SERVER_FILE_CHANGED/,
    );
    const { changes } = await run('fastify', tree, {}, 'server');
    expectGolden('fastify/server beside koa', changes);
  });
});

test('ng generate does what ng add does where there is no server', async () => {
  const create = starts['fresh without SSR']!.create;
  const added = await run('koa', await create('koa'));
  const generated = await run('koa', await create('koa'), {}, 'server');
  expect(generated.changes).toBe(added.changes);
});

describe('packages are installed', () => {
  test.each([
    ['node', 'fresh without SSR', {}, 1],
    ['node', 'CommonEngine', {}, 1],
    ['koa', 'fresh with SSR', {}, 1],
    ['koa', 'fresh with SSR', { skipInstall: true }, 0],
  ] as const)('%s on %s, %o: %i times', async (adapter, start, options, times) => {
    const runner = runnerOf(adapter);
    const tree = await starts[start]!.create(adapter);
    const after = await runner.runSchematic('ng-add', options, tree);
    expect(runner.tasks.filter(({ name }) => name === 'node-package')).toHaveLength(times);

    const again = runnerOf(adapter);
    await again.runSchematic('ng-add', options, after);
    expect(again.tasks).toEqual([]);
  });
});
