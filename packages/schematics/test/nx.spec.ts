import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { inspect } from 'node:util';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import {
  addApplication,
  type AngularJson,
  editJson,
  newApplication,
  type PackageJson,
  runnerOf,
  setBuilder,
} from './workspace.ts';

/** A workspace as Nx shows it to schematics: its projects in an angular.json. */
async function nxWorkspace(options: object): Promise<UnitTestTree> {
  const tree = setBuilder(await newApplication(options), '@nx/angular:application');
  tree.create('/nx.json', '{}');
  editJson<PackageJson>(tree, '/package.json', ({ devDependencies }) => {
    devDependencies['@nx/angular'] = '^23.0.0';
  });
  return tree;
}

async function run(
  tree: UnitTestTree,
  schematic = 'ng-add',
  options = {},
  adapter = 'koa',
): Promise<{ tree: UnitTestTree; said: string }> {
  const runner = runnerOf(adapter);
  const said: string[] = [];
  runner.logger.subscribe(({ message }) => said.push(message));
  return { tree: await runner.runSchematic(schematic, options, tree), said: said.join('\n') };
}

describe.each(['@nx/angular:application', '@angular-builders/custom-esbuild:application'])(
  'a build by %s',
  (builder) => {
    test.each([{ ssr: true }, {}])("is an application builder's: %o", async (options) => {
      const { tree } = await run(setBuilder(await newApplication(options), builder));
      const { projects } = tree.readJson('/angular.json') as unknown as AngularJson;
      const { builder: after, options: build } = projects['shop']!.architect['build']!;
      expect(after).toBe(builder);
      expect(build).toMatchObject({
        outputMode: 'server',
        server: 'src/main.server.ts',
        ssr: { entry: 'src/server.ts' },
      });
      expect(Object.keys(projects['shop']!.architect)).not.toContain('server');
      expect(tree.readText('/src/server.ts')).toContain('createKoaSsrServer');
    });
  },
);

describe('under Nx, messages have its commands', () => {
  test('what nx add says at its end', async () => {
    const { said } = await run(await nxWorkspace({ ssr: true }), 'init');
    expect(said).toContain('Try it: nx build shop && node dist/shop/server/server.mjs');
  });

  test.each([true, false])('how to format the server, with Prettier: %s', async (hasPrettier) => {
    const tree = await nxWorkspace({ ssr: true });
    editJson<PackageJson>(tree, '/package.json', ({ devDependencies }) => {
      delete devDependencies['prettier'];
      if (hasPrettier) devDependencies['prettier'] = '~3.6.2';
    });
    const { said } = await run(tree);
    expect(said.includes('Format it: nx format:write --projects shop')).toBe(hasPrettier);
    const again = await run(tree);
    expect(again.said).not.toContain('Format it');
  });

  test('a second application gets SSR, and no word on packages that stay as they are', async () => {
    const tree = await addApplication(await nxWorkspace({ ssr: true }), { name: 'admin' });
    editJson<PackageJson>(tree, '/package.json', ({ dependencies, devDependencies }) => {
      Object.assign(dependencies, { '@angular/ssr': '~22.1.0', express: '^4.21.2' });
      Object.assign(devDependencies, { '@types/express': '^4.17.21', '@types/node': '22.0.0' });
    });
    const before = tree.readJson('/package.json') as PackageJson;
    const { said, tree: after } = await run(tree, 'ng-add', { project: 'admin' }, 'express');
    expect(said).not.toContain('will be replaced');
    const { dependencies, devDependencies } = after.readJson('/package.json') as PackageJson;
    expect(dependencies).toMatchObject(before.dependencies);
    expect(devDependencies).toEqual(before.devDependencies);
  });

  test('a server beside', async () => {
    const tree = await nxWorkspace({ ssr: true });
    tree.overwrite('/src/server.ts', `${tree.readText('/src/server.ts')}\nexport const a = 1;\n`);
    const { said } = await run(tree, 'server');
    expect(said).toContain('Try it: nx build shop --configuration koa &&');
  });

  test('refusals', async () => {
    const changed = await nxWorkspace({ ssr: true });
    changed.overwrite('/src/server.ts', `import express from 'express';\nexpress();\n`);
    const failure = run(changed);
    await expect(failure).rejects.toThrow(
      'nx generate @ng-ssr/koa:ng-add --overwrite replaces it and keeps a backup, nx generate @ng-ssr/koa:server writes',
    );
    await expect(failure).rejects.toThrow('nx generate @ng-ssr/express:middleware');

    const webpack = setBuilder(await nxWorkspace({}), '@nx/angular:webpack-browser');
    await expect(run(webpack)).rejects.toThrow(
      'Run nx generate @nx/angular:convert-to-application-executor shop first.',
    );
    const old = await nxWorkspace({ ssr: true });
    editJson<PackageJson>(old, '/package.json', ({ dependencies }) => {
      dependencies['@angular/core'] = '^20.0.0';
    });
    await expect(run(old)).rejects.toThrow(
      'Run "npm uninstall @ng-ssr/koa", "nx migrate @angular/core@21", and this command again.',
    );
  });

  const several = async (): Promise<UnitTestTree> =>
    addApplication(await nxWorkspace({ ssr: true }), { name: 'admin', ssr: true });

  // `nx add` takes no options.
  test.each([
    ['init', 'nx generate @ng-ssr/koa:ng-add'],
    ['ng-add', 'nx generate @ng-ssr/koa:ng-add'],
    ['server', 'nx generate @ng-ssr/koa:server'],
    ['remove', 'nx generate @ng-ssr/koa:remove'],
  ])('%s among several applications: the whole command', async (schematic, command) => {
    await expect(run(await several(), schematic)).rejects.toThrow(
      `There are several applications, shop, admin: choose one, as in ${command} --project shop.`,
    );
  });

  test('an option that is missing: the whole command, with those that were there', async () => {
    const options = { project: 'admin', engine: 'app' };
    await expect(run(await several(), 'ng-add', options, 'fetch')).rejects.toThrow(
      'as in nx generate @ng-ssr/fetch:ng-add --project admin --engine app --framework hono.',
    );
  });

  test('a refusal among several applications', async () => {
    const tree = await several();
    tree.overwrite('/src/server.ts', `import express from 'express';\nexpress();\n`);
    const failure = run(tree, 'ng-add', { project: 'shop' });
    await expect(failure).rejects.toThrow(
      'nx generate @ng-ssr/koa:ng-add --project shop --overwrite replaces it',
    );
    await expect(failure).rejects.toThrow('nx generate @ng-ssr/koa:server --project shop writes');
    await expect(failure).rejects.toThrow(
      'nx generate @ng-ssr/express:middleware --project shop adds these lines',
    );
  });

  test.each([['ng-add'], ['server']])('%s of a wrong project is said once', async (name) => {
    vi.stubEnv('NX_CLI_SET', 'true');
    onTestFinished(() => void vi.unstubAllEnvs());
    const failure: unknown = await run(await several(), name, { project: 'shpo' }).catch(
      (error: unknown) => error,
    );
    const message = 'There is no project "shpo" in this workspace: it has shop, admin.';
    expect(failure).toMatchObject({ message: expect.stringContaining(message) as string });
    // Nx writes the error with console.error, and then its message; with `--verbose` also its stack.
    expect(inspect(failure)).toBe('');
    expect(failure).toMatchObject({ stack: '' });
  });

  test('other programs write the message alone', async () => {
    vi.stubEnv('NX_CLI_SET', undefined);
    onTestFinished(() => void vi.unstubAllEnvs());
    const options = { project: 'shpo' };
    const failure: unknown = await run(await several(), 'ng-add', options).catch(
      (error: unknown) => error,
    );
    expect(inspect(failure)).toBe((failure as Error).message);
  });
});
