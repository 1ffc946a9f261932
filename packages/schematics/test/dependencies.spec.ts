import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { beforeAll, describe, expect, test } from 'vitest';
import { copyOf, editJson, newApplication, type PackageJson, runnerOf, save } from './workspace.ts';
import { VERSION } from './version.ts';

let workspace: UnitTestTree;
beforeAll(async () => {
  workspace = await newApplication({ ssr: true });
});

function manifestOf(tree: UnitTestTree): PackageJson {
  return tree.readJson('/package.json') as PackageJson;
}

describe.each(['ng-add', 'server', 'init'])('%s', (schematic) => {
  test.each(['node', 'koa', 'fastify', 'express'])(
    'puts @ng-ssr/%s into package.json where it is missing, and has it installed',
    async (adapter) => {
      const runner = runnerOf(adapter);
      const tree = await runner.runSchematic(schematic, {}, copyOf(workspace));
      const { dependencies } = manifestOf(tree);
      expect(dependencies[`@ng-ssr/${adapter}`]).toBe(`^${VERSION}`);
      expect(runner.tasks.filter(({ name }) => name === 'node-package')).toHaveLength(1);
    },
  );

  test('makes runtime dependencies of what nx add or npm i -D have saved', async () => {
    const tree = copyOf(workspace);
    editJson<PackageJson>(tree, '/package.json', ({ devDependencies }) => {
      Object.assign(devDependencies, { '@ng-ssr/koa': '0.1.0', koa: '~3.1.0' });
    });
    const after = await runnerOf('koa').runSchematic(schematic, {}, tree);
    const { dependencies, devDependencies } = manifestOf(after);
    expect(dependencies).toMatchObject({
      '@koa/router': expect.any(String),
      '@ng-ssr/koa': '0.1.0',
      koa: '~3.1.0',
    });
    expect(devDependencies).not.toHaveProperty('@ng-ssr/koa');
    expect(devDependencies).not.toHaveProperty('koa');
    expect(devDependencies).toHaveProperty('@types/koa');
  });
});

describe('a refusal', () => {
  async function refused(tree: UnitTestTree): Promise<string> {
    tree.overwrite(
      '/src/server.ts',
      `${tree.readText('/src/server.ts')}\nexport const mine = 1;\n`,
    );
    return runnerOf('koa')
      .runSchematic('ng-add', {}, tree)
      .then(
        () => 'nothing',
        ({ message }: Error) => message,
      );
  }

  test.each([
    ['package-lock.json', 'npm uninstall'],
    ['pnpm-lock.yaml', 'pnpm remove'],
    ['yarn.lock', 'yarn remove'],
  ])('of ng add says what ng add has installed before it (%s)', async (lock, command) => {
    const tree = copyOf(workspace);
    tree.create(`/${lock}`, '');
    save(tree, 'koa');
    expect(await refused(tree)).toContain(
      `Nothing else was changed; @ng-ssr/koa stays installed and in package.json: "${command} @ng-ssr/koa" removes it.`,
    );
  });

  test('names the package manager that is set, where the lock file is above', async () => {
    const tree = copyOf(workspace);
    editJson<{ cli?: object }>(tree, '/angular.json', (json) => {
      json.cli = { packageManager: 'pnpm' };
    });
    save(tree, 'koa');
    expect(await refused(tree)).toContain('in package.json: "pnpm remove @ng-ssr/koa" removes it.');
  });

  test.each(['ng-add', 'server'])('is followed by a whole %s', async (schematic) => {
    const tree = copyOf(workspace);
    await refused(tree);
    const after = await runnerOf('koa').runSchematic(schematic, { overwrite: true }, tree);
    expect(manifestOf(after).dependencies).toMatchObject({
      '@ng-ssr/koa': `^${VERSION}`,
      koa: expect.any(String),
    });
  });
});
