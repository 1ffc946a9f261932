import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { scaffold } from './starts.ts';
import {
  copyOf,
  editJson,
  newApplication,
  type PackageJson,
  runnerOf,
  save,
  servers,
} from './workspace.ts';

let workspace: UnitTestTree;
beforeAll(async () => {
  workspace = await newApplication({ ssr: true });
});

async function added(adapter: string, options: object): Promise<UnitTestTree> {
  const tree = copyOf(workspace);
  save(tree, adapter);
  return runnerOf(adapter).runSchematic('ng-add', options, tree);
}

describe.each(servers)('ng generate @ng-ssr/%s:remove %o', (adapter, options) => {
  test('leaves what ng new has made', async () => {
    const runner = runnerOf(adapter);
    const after = await runner.runSchematic('remove', {}, await added(adapter, options));
    const { dependencies, devDependencies, scripts } = after.readJson(
      '/package.json',
    ) as PackageJson;
    const before = workspace.readJson('/package.json') as PackageJson;
    expect(dependencies).toEqual(before.dependencies);
    expect(devDependencies).toEqual(before.devDependencies);
    expect(scripts).toMatchObject({ build: 'ng build' });
    expect(scripts).not.toHaveProperty('postbuild');
    expect(runner.tasks.filter(({ name }) => name === 'node-package')).toHaveLength(1);
    expect(after.readText('/src/server.ts')).toBe(workspace.readText('/src/server.ts'));
    expect(after.readText('/angular.json')).toBe(workspace.readText('/angular.json'));
  });

  test('on CommonEngine leaves a server that ng add replaces', async () => {
    const tree = await added(adapter, { ...options, engine: 'common' });
    const after = await runnerOf(adapter).runSchematic('remove', {}, tree);
    const text = after.readText('/src/server.ts');
    expect(text).toContain('new CommonEngine()');
    const { dependencies } = after.readJson('/package.json') as PackageJson;
    // Express 5 has other paths than the server.ts of CommonEngine was written for.
    expect(text.includes(`'**'`)).toBe(/^\^4/.test(dependencies['express']!));
    expect(Object.keys(dependencies).filter((name) => name.startsWith('@ng-ssr/'))).toEqual([]);
    const again = await runnerOf('koa').runSchematic('ng-add', {}, after);
    expect(again.readText('/src/server.ts')).toContain('commonEngine({ bootstrap })');
  });
});

test('a server with changes is replaced with --overwrite alone, and a backup stays', async () => {
  const tree = await added('koa', {});
  const mine = `${tree.readText('/src/server.ts')}\nexport const mine = 1;\n`;
  tree.overwrite('/src/server.ts', mine);
  await expect(runnerOf('koa').runSchematic('remove', {}, tree)).rejects.toThrow(
    "You have changed src/server.ts: --overwrite replaces it with Angular's server.ts and keeps a backup. (NG_SSR_SERVER_FILE_CHANGED)",
  );
  const after = await runnerOf('koa').runSchematic('remove', { overwrite: true }, tree);
  expect(after.readText('/src/server.ts.backup')).toBe(mine);
  expect(after.readText('/src/server.ts')).toContain('AngularNodeAppEngine');
  expect((after.readJson('/package.json') as PackageJson).dependencies).toHaveProperty('koa');
});

test('where Express 4 has stayed, the server.ts is the one that Angular wrote for it', async () => {
  const tree = await added('express', {});
  editJson<PackageJson>(tree, '/package.json', ({ dependencies, devDependencies }) => {
    dependencies['express'] = '^4.21.2';
    devDependencies['@types/express'] = '^4.17.21';
  });
  const after = await runnerOf('express').runSchematic('remove', {}, tree);
  expect(after.readText('/src/server.ts')).toBe(scaffold('19'));
});

test('a server of another adapter stays', async () => {
  const tree = await added('koa', {});
  const before = tree.readText('/src/server.ts');
  const after = await runnerOf('node').runSchematic('remove', {}, tree);
  expect(after.readText('/src/server.ts')).toBe(before);
});

describe('the script postbuild', () => {
  async function removed(scripts: Record<string, string>, others: readonly string[] = []) {
    const tree = await added('koa', {});
    editJson<PackageJson>(tree, '/package.json', (json) => Object.assign(json.scripts, scripts));
    for (const other of others) save(tree, other);
    const runner = runnerOf('koa');
    const said: string[] = [];
    runner.logger.subscribe(({ message }) => said.push(message));
    const after = await runner.runSchematic('remove', {}, tree);
    const { scripts: left } = after.readJson('/package.json') as PackageJson;
    return { left, said: said.join('\n') };
  }

  test('goes, whatever its output path was', async () => {
    const postbuild = 'ng-ssr pack out/of/before --browser public';
    const { left, said } = await removed({ postbuild });
    expect(left).not.toHaveProperty('postbuild');
    expect(said).toContain('; removed the script postbuild.');
  });

  test('stays while another adapter has the command', async () => {
    const postbuild = 'ng-ssr pack dist/shop';
    expect((await removed({ postbuild }, ['node'])).left).toMatchObject({ postbuild });
  });

  test.each([
    { postbuild: 'ng-ssr pack dist/shop && rm -rf tmp' },
    { build: 'ng build && ng-ssr pack dist/shop', postbuild: 'node upload.mjs' },
  ])('of the user is left as it is, and named: %j', async (own) => {
    const { left, said } = await removed(own);
    expect(left).toMatchObject(own);
    const name = own.postbuild.includes('ng-ssr') ? 'postbuild' : 'build';
    expect(said).toContain(`The script ${name} runs ng-ssr, which was removed`);
  });

  test('that never packed is not mentioned', async () => {
    const { left, said } = await removed({ postbuild: 'node upload.mjs' });
    expect(left).toMatchObject({ postbuild: 'node upload.mjs' });
    expect(said).not.toContain('the command ng-ssr');
  });
});
