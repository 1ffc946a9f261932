import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { describe, expect, test } from 'vitest';
import {
  type AngularJson,
  editJson,
  newApplication,
  type PackageJson,
  runnerOf,
} from './workspace.ts';

function setBuilder(tree: UnitTestTree, builder: string): UnitTestTree {
  editJson<AngularJson>(tree, '/angular.json', ({ projects: { shop } }) => {
    shop!.architect['build']!.builder = builder;
  });
  return tree;
}

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
): Promise<{ tree: UnitTestTree; said: string }> {
  const runner = runnerOf('koa');
  const said: string[] = [];
  runner.logger.subscribe(({ message }) => said.push(message));
  return { tree: await runner.runSchematic(schematic, {}, tree), said: said.join('\n') };
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
    await expect(failure).rejects.toThrow('nx generate @ng-ssr/koa:server writes');
    await expect(failure).rejects.toThrow('nx generate @ng-ssr/express:middleware');

    const webpack = setBuilder(await nxWorkspace({}), '@nx/angular:webpack-browser');
    await expect(run(webpack)).rejects.toThrow(
      'Run nx generate @nx/angular:convert-to-application-executor shop first.',
    );
    const old = await nxWorkspace({ ssr: true });
    editJson<PackageJson>(old, '/package.json', ({ dependencies }) => {
      dependencies['@angular/core'] = '^20.0.0';
    });
    await expect(run(old)).rejects.toThrow('Run nx migrate @angular/core@21 first.');
  });
});
