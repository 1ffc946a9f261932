import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { describe, expect, test } from 'vitest';
import { describeChanges, filesOf } from './changes.ts';
import { expectGolden } from './golden.ts';
import { starts } from './starts.ts';
import {
  type AngularJson,
  editBuild,
  editJson,
  newApplication,
  type PackageJson,
  runnerOf,
  save,
} from './workspace.ts';

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
    expect(second.changes).toMatch(/^== says\n.* already .*; nothing was changed\.\n$/);
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
    expect(second.changes).toMatch(/^== says\n.* already .*; nothing was changed\.\n$/);
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
      'src/server.ts is not as Angular CLI wrote it: ng add @ng-ssr/koa --overwrite replaces it and keeps a backup, ' +
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

describe('Express stays where it is named', () => {
  test.each([
    ['/tools/mock.ts', `const { default: express } = await import("express");`],
    ['/tools/mock.ts', 'const express = await import(`express`);'],
    ['/tools/mock.cjs', `require.resolve('express')`],
    ['/tools/mock.cjs', `const load = require; load('express/lib/router')`],
    ['/src/app/a.spec.ts', `jest.mock('express', () => ({}));`],
    ['/src/app/a.spec.ts', `vi.mock( /* all */ 'express');`],
    ['/src/types.d.ts', `/// <reference types="express" />`],
    ['/.storybook/middleware.js', `module.exports = require('express').Router()`],
    ['/build/serve.mjs', `import express from 'express';`],
    ['/tsconfig.tools.json', `{ "compilerOptions": { "types": ["express"] } }`],
  ])('%s: %s', async (path, text) => {
    const tree = await starts['fresh with SSR']!.create('koa');
    tree.create(path, text);
    const { tree: after } = await run('koa', tree);
    const { dependencies, devDependencies } = after.readJson('/package.json') as PackageJson;
    expect({ ...dependencies, ...devDependencies }).toHaveProperty('express');
    expect({ ...dependencies, ...devDependencies }).toHaveProperty('@types/express');
  });

  test.each([
    ['/node_modules/a/index.js', `require('express')`],
    ['/.angular/cache/a.js', `require('express')`],
    ['/tools/a.mjs', `import 'express-like'; import '@acme/express'; // express`],
  ])('but not for %s: %s', async (path, text) => {
    const tree = await starts['fresh with SSR']!.create('koa');
    tree.create(path, text);
    const { tree: after } = await run('koa', tree);
    expect((after.readJson('/package.json') as PackageJson).dependencies).not.toHaveProperty(
      'express',
    );
  });
});

test.each([
  ['/tsconfig.app.json', 'src/server.ts'],
  ['/src/tsconfig.app.json', 'server.ts'],
  ['/config/ts/app.json', '../../src/server.ts'],
])('a tsconfig at %s lists the server as %s', async (path, listed) => {
  const tree = await starts['fresh with SSR']!.create('koa');
  tree.delete('/src/server.ts');
  tree.delete('/tsconfig.app.json');
  tree.create(path, JSON.stringify({ compilerOptions: { types: [] }, files: ['main.ts'] }));
  editBuild(tree, (options) => {
    options['tsConfig'] = path.slice(1);
  });
  const { tree: after } = await run('koa', tree);
  expect(after.readJson(path)).toEqual({
    compilerOptions: { types: ['node'] },
    files: ['main.ts', listed],
  });
});

test.each([
  ['/tsconfig.app.json', ['src/main.ts', 'src/main.server.ts', 'src/server.ts']],
  ['/src/tsconfig.app.json', ['main.ts', 'main.server.ts', 'server.ts']],
  ['/config/app.json', ['../src/main.ts', '../src/main.server.ts', '../src/server.ts']],
])('a tsconfig at %s lists the files of new SSR as seen from its folder', async (path, files) => {
  const tree = await starts['fresh without SSR']!.create('koa');
  tree.delete('/tsconfig.app.json');
  tree.create(path, JSON.stringify({ files: files.slice(0, 1) }));
  editBuild(tree, (options) => {
    options['tsConfig'] = path.slice(1);
  });
  const { tree: after } = await run('koa', tree);
  expect(after.readJson(path)).toMatchObject({ files });
});

describe('a build whose default configuration has options of its own', () => {
  const configure = (tree: UnitTestTree, configuration: object): void =>
    editJson<AngularJson>(tree, '/angular.json', ({ projects: { shop } }) => {
      const build = shop!.architect['build']!;
      const production = (build.configurations as { production: object }).production;
      Object.assign(production, configuration);
    });
  const buildOf = (tree: UnitTestTree): { options: object; configurations: object } =>
    (tree.readJson('/angular.json') as unknown as AngularJson).projects['shop']!.architect[
      'build'
    ] as never;

  test('is one of the app engine with its outputMode', async () => {
    const tree = await starts['fresh with SSR']!.create('koa');
    tree.delete('/src/server.ts');
    editBuild(tree, (options) => delete options['outputMode']);
    configure(tree, { outputMode: 'server' });
    const before = buildOf(tree);
    const { tree: after } = await run('koa', tree);
    expect(after.readText('/src/server.ts')).toContain('appEngine()');
    expect(buildOf(after)).toEqual(before);
  });

  test.each(['server', 'static'])('loses its outputMode %s to the engine', async (outputMode) => {
    for (const engine of ['app', 'common']) {
      const tree = await starts['fresh with SSR']!.create('koa');
      configure(tree, { outputMode });
      const { tree: after } = await run('koa', tree, { engine });
      const { options, configurations } = buildOf(after);
      const built = {
        ...options,
        ...(configurations as { production: object }).production,
      };
      const wanted = engine === 'app' ? 'server' : undefined;
      expect((built as { outputMode?: string }).outputMode).toBe(wanted);
    }
  });

  test('has its own server file', async () => {
    const tree = await starts['fresh with SSR']!.create('koa');
    const text = tree.readText('/src/server.ts');
    tree.rename('/src/server.ts', '/src/production.ts');
    configure(tree, { ssr: { entry: 'src/production.ts' } });
    const before = buildOf(tree);
    const { tree: after } = await run('koa', tree);
    expect(after.readText('/src/production.ts')).not.toBe(text);
    expect(after.exists('/src/server.ts')).toBe(false);
    expect(buildOf(after)).toEqual(before);
  });
});

test.each([
  ['en', true, 'en/server.mjs', 'en, fr-CA'],
  [{ code: 'en' }, true, 'en/server.mjs', 'en, fr-CA'],
  [{ code: 'en', subPath: 'english' }, true, 'english/server.mjs', 'en, fr-CA'],
  [{ code: 'en', subPath: '' }, true, 'server.mjs', 'en, fr-CA'],
  [undefined, true, 'en-US/server.mjs', 'en-US, fr-CA'],
  ['en', ['fr-CA'], 'fr/server.mjs', undefined],
] as const)(
  'CommonEngine with the source locale %o and localize %o has its server at %s',
  async (sourceLocale, localize, server, locales) => {
    const tree = await starts['CommonEngine']!.create('koa');
    editJson<AngularJson>(tree, '/angular.json', ({ projects: { shop } }) => {
      const french = { translation: 'src/locale/messages.fr-CA.xlf', subPath: 'fr' };
      shop!.i18n = { sourceLocale, locales: { 'fr-CA': french } };
      shop!.architect['build']!.options['localize'] = localize;
    });
    const { tree: after, said } = await run('koa', tree);
    expect(said.join('\n')).toContain(`node dist/shop/server/${server}`);
    const { scripts } = after.readJson('/package.json') as { scripts?: object };
    expect(scripts).toMatchObject({ 'serve:ssr:shop': `node dist/shop/server/${server}` });
    const told = said.find((line) => line.includes('a server for each locale'));
    expect(told?.replace(/.*: /, '')).toBe(locales && `${locales}.`);
  },
);

test.each(['fresh with SSR', 'fresh without SSR', 'CommonEngine'])(
  '.angular.json is a workspace as angular.json is, on: %s',
  async (name) => {
    const { tree: wanted } = await run('koa', await starts[name]!.create('koa'));
    const tree = await starts[name]!.create('koa');
    tree.rename('/angular.json', '/.angular.json');
    const { tree: after } = await run('koa', tree);
    expect(after.exists('/angular.json')).toBe(false);
    expect(after.readText('/.angular.json')).toBe(wanted.readText('/angular.json'));
    expect(after.readText('/src/server.ts')).toBe(wanted.readText('/src/server.ts'));
    const { changes } = await run('koa', after);
    expect(changes).toMatch(/nothing was changed/);
  },
);

describe('the script postbuild', () => {
  const scriptsOf = (tree: UnitTestTree) => (tree.readJson('/package.json') as PackageJson).scripts;
  const isTold = (said: readonly string[]) =>
    said.some((line) => line.includes('npx ng-ssr pack dist/shop'));

  test.each(['ng build', 'ng build --configuration staging'])('packs after %s', async (build) => {
    const tree = await starts['fresh with SSR']!.create('koa');
    editJson<PackageJson>(tree, '/package.json', ({ scripts }) => (scripts['build'] = build));
    const { tree: after, said } = await run('koa', tree);
    expect(scriptsOf(after)).toMatchObject({ build, postbuild: 'ng-ssr pack dist/shop' });
    expect(isTold(said)).toBe(false);
  });

  test.each([
    [{ build: 'nx build shop' }, true],
    [{ build: 'ng build && node minify.mjs' }, true],
    [{ build: 'ng build', postbuild: 'node upload.mjs' }, true],
    [{ build: 'ng build && ng-ssr pack dist/other' }, false],
    [{ build: 'ng build', postbuild: 'ng-ssr pack dist/other && node upload.mjs' }, false],
  ])('is not added beside %j', async (own, wanted) => {
    const tree = await starts['fresh with SSR']!.create('koa');
    editJson<PackageJson>(tree, '/package.json', ({ scripts }) => Object.assign(scripts, own));
    const before = scriptsOf(tree);
    const { tree: after, said } = await run('koa', tree);
    expect(scriptsOf(after)).toMatchObject(own);
    expect(scriptsOf(after)['postbuild']).toBe(before['postbuild']);
    expect(isTold(said)).toBe(wanted);
  });

  test.each([
    ['my builds/shop', 'ng-ssr pack "my builds/shop"'],
    [{ base: 'out', browser: '', server: 'node' }, undefined],
  ])('with the output path %o', async (outputPath, wanted) => {
    const tree = await starts['fresh with SSR']!.create('koa');
    editBuild(tree, (options) => (options['outputPath'] = outputPath));
    const { tree: after, said } = await run('koa', tree);
    expect(scriptsOf(after)['postbuild']).toBe(wanted);
    expect(said.join('\n')).not.toContain('npx ng-ssr');
  });
});

describe('another adapter', () => {
  test('takes its place by ng add', async () => {
    const { tree } = await run('koa', await starts['fresh with SSR']!.create('koa'));
    save(tree, 'fastify');
    const { changes } = await run('fastify', tree);
    expectGolden('fastify/server instead of koa', changes);
  });

  test('is put beside by ng generate', async () => {
    const { tree } = await run('koa', await starts['fresh with SSR']!.create('koa'));
    save(tree, 'fastify');
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

describe('a version of Angular that is not tested', () => {
  const on = async (version: string) => {
    const tree = await newApplication({ ssr: true });
    tree.create('/node_modules/@angular/core/package.json', JSON.stringify({ version }));
    return (await run('koa', tree)).said.filter((line) => line.includes('not tested'));
  };

  test.each(['22.3.0', '22.2.7', '21.2.25', '22.1.0-rc.0'])('%s is a note', async (version) => {
    expect(await on(version)).toEqual([
      `  Note: Angular ${version} is not tested with this version of ng-ssr (tested: 21.2.9 to 21.2.24, 22.0.0 to 22.0.8, 22.1.0 to 22.1.8, 22.2.0): compare your pages with "npx ng-ssr doctor --compare" after a build.`,
    ]);
  });

  test.each(['21.2.9', '21.2.24', '22.0.3', '22.2.0'])('%s is none', async (version) => {
    expect(await on(version)).toEqual([]);
  });
});
