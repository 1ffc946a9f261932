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

test('ng add installs again where packages are named that are not there', async () => {
  const first = await runnerOf('koa').runSchematic('ng-add', {}, copyOf(workspace));
  first.create('/node_modules/@angular/core/package.json', '{ "version": "22.2.0" }');
  const again = runnerOf('koa');
  const lines: string[] = [];
  again.logger.subscribe(({ message }) => lines.push(message));
  const after = await again.runSchematic('ng-add', {}, first);
  expect(again.tasks.map(({ name }) => name)).toEqual(['node-package']);
  expect(lines.join('\n')).toMatch(/nothing was changed\.\n +Not finished: npm install runs now/);
  for (const name of ['ssr', 'platform-server']) {
    after.create(`/node_modules/@angular/${name}/package.json`, '{ "version": "22.2.0" }');
  }
  const whole = runnerOf('koa');
  await whole.runSchematic('ng-add', {}, after);
  expect(whole.tasks).toEqual([]);
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

describe('what an earlier server leaves', () => {
  const OWN = `import express from 'express';\nexport const app = express();\n`;
  const replaced = (tree: UnitTestTree, adapter = 'koa'): Promise<UnitTestTree> =>
    runnerOf(adapter).runSchematic('ng-add', { overwrite: true }, tree);

  test.each(['node', 'koa', 'fastify'])(
    '@ng-ssr/%s removes Express, which a replaced server used',
    async (adapter) => {
      const tree = copyOf(workspace);
      tree.overwrite('/src/server.ts', OWN);
      const { dependencies, devDependencies } = manifestOf(await replaced(tree, adapter));
      expect(dependencies).not.toHaveProperty('express');
      expect(devDependencies).not.toHaveProperty('@types/express');
    },
  );

  test('Express stays where another file uses it, and for the adapter of Express', async () => {
    const tree = copyOf(workspace);
    tree.overwrite('/src/server.ts', OWN);
    expect(manifestOf(await replaced(copyOf(tree), 'express')).dependencies).toHaveProperty(
      'express',
    );
    tree.create('/tools/mock-api.ts', OWN);
    expect(manifestOf(await replaced(tree)).dependencies).toHaveProperty('express');
  });

  const START = 'node dist/shop/server/server.mjs';
  test.each([
    ['of a webpack build', 'serve:ssr:shop', 'node dist/shop/server/main.js', START],
    ['of Angular Universal', 'serve:ssr', 'node dist/shop/server/main.js', START],
    ['of another output path', 'serve:ssr:shop', 'node dist/server/server.mjs', START],
    [
      'with options of its own',
      'serve:ssr:shop',
      'node --inspect dist/shop/server/main.js',
      undefined,
    ],
    ['of another program', 'serve:ssr', 'pm2 start ecosystem.config.js', undefined],
  ])('a script %s', async (_name, script, command, expected = command) => {
    const tree = copyOf(workspace);
    editJson<PackageJson>(tree, '/package.json', ({ scripts }) => {
      delete scripts['serve:ssr:shop'];
      scripts[script] = command;
    });
    const { scripts } = manifestOf(await runnerOf('koa').runSchematic('ng-add', {}, tree));
    expect(scripts[script]).toBe(expected);
    const starts = Object.values(scripts).filter((each) => each === START);
    expect(starts).toHaveLength(script === 'serve:ssr:shop' && expected !== START ? 0 : 1);
  });
});

describe('the packages are installed after the schematic', () => {
  async function said(lock: string, options: object): Promise<string[]> {
    const tree = copyOf(workspace);
    tree.create(`/${lock}`, '');
    const lines: string[] = [];
    const runner = runnerOf('koa');
    runner.logger.subscribe(({ message }) => lines.push(message));
    await runner.runSchematic('ng-add', options, tree);
    return lines;
  }

  test.each([
    ['package-lock.json', 'npm install'],
    ['pnpm-lock.yaml', 'pnpm install'],
    ['yarn.lock', 'yarn install'],
    ['bun.lock', 'bun install'],
  ])('with %s it says so, and claims nothing before', async (lock, install) => {
    const lines = await said(lock, {});
    expect(lines[0]).toMatch(/is configured for Koa .*; its packages are not installed yet\.$/);
    expect(lines.at(-1)).toBe(
      `  Not finished: ${install} runs now. The server works after it succeeds. If it fails: https://github.com/ng-ssr/ng-ssr/blob/main/docs/start/ng-add.md#npm-install-has-failed`,
    );
    expect(lines.join('\n')).not.toMatch(/Done|is served/);
    expect(await said(lock, { skipInstall: true })).toContain(`  Next: ${install}.`);
  });
});

describe('@angular/ssr has the minor version of the installed builder', () => {
  interface Installed {
    readonly builder?: string;
    readonly range?: string;
    readonly version?: string;
    readonly ssr?: string;
  }

  async function onBuilder({
    builder = '@angular/build',
    range = '^22.1.0',
    version = '22.1.4',
    ssr,
  }: Installed) {
    const tree = await newApplication({ ssr: ssr !== undefined });
    editJson<PackageJson>(tree, '/package.json', ({ devDependencies }) => {
      delete devDependencies['@angular/build'];
      devDependencies[builder] = range;
    });
    const install = (name: string, installed: string): void =>
      tree.create(`/node_modules/${name}/package.json`, JSON.stringify({ version: installed }));
    if (version !== '') install(builder, version);
    if (ssr !== undefined) install('@angular/ssr', ssr);
    const said: string[] = [];
    const runner = runnerOf('koa');
    runner.logger.subscribe(({ message }) => said.push(message));
    const { dependencies, devDependencies } = manifestOf(
      await runner.runSchematic('ng-add', {}, tree),
    );
    return { ssr: dependencies['@angular/ssr'], builder: devDependencies[builder], said };
  }

  test.each(['@angular/build', '@angular-devkit/build-angular'])(
    'and so has %s, without its lock file too',
    async (builder) => {
      const { said, ...ranges } = await onBuilder({ builder });
      expect(ranges).toEqual({ ssr: '~22.1.4', builder: '~22.1.4' });
      expect(said.join('\n')).toContain(
        `set ${builder} to "~22.1.4", so that @angular/ssr has the same minor version`,
      );
    },
  );

  test.each(['~22.1.0', '22.1.4'])('a builder of %s stays', async (range) => {
    const { said, ...ranges } = await onBuilder({ range });
    expect(ranges).toEqual({ ssr: '~22.1.4', builder: range });
    expect(said.join('\n')).not.toContain('minor version');
  });

  test('where the builder is not installed it has the range of Angular', async () => {
    const { ssr, builder } = await onBuilder({ version: '' });
    expect({ ssr, builder }).toEqual({ ssr: '^22.2.0', builder: '^22.1.0' });
  });

  const NOTE =
    '  Note: @angular/ssr 22.2.0 and @angular/build 22.1.4 are of different minor versions, so pages may lose their critical CSS: run "ng update @angular/core@22 @angular/cli@22".';

  test('one of another minor version, installed before, is a note', async () => {
    expect((await onBuilder({ ssr: '22.2.0' })).said).toContain(NOTE);
    const { said } = await onBuilder({ ssr: '22.1.9' });
    expect(said.join('\n')).not.toContain('minor version');
  });
});
