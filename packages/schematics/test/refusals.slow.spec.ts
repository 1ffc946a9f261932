import type { UnitTestTree } from '@angular-devkit/schematics/testing';
import { describe, expect, test } from 'vitest';
import { filesOf } from './changes.ts';
import {
  addApplication,
  type AngularJson,
  editJson,
  emptyWorkspace,
  newApplication,
  type PackageJson,
  runnerOf,
  setBuilder,
} from './workspace.ts';

function setAngular(tree: UnitTestTree, version: string): UnitTestTree {
  editJson<PackageJson>(tree, '/package.json', ({ dependencies }) => {
    dependencies['@angular/core'] = version;
  });
  return tree;
}

async function library(): Promise<UnitTestTree> {
  const tree = await newApplication();
  editJson<AngularJson>(tree, '/angular.json', ({ projects }) => {
    projects['parts'] = { projectType: 'library', root: 'projects/parts', architect: {} };
  });
  return tree;
}

const several = async (): Promise<UnitTestTree> =>
  addApplication(await addApplication(await emptyWorkspace(), {}), { name: 'admin' });

const CONFIG = '/src/app/app.config.ts';

function withHash(tree: UnitTestTree, feature: string, provider = ''): UnitTestTree {
  const text = tree.readText(CONFIG);
  expect(text).toContain('provideRouter(routes)');
  const features = feature === '' ? '' : `, ${feature}`;
  tree.overwrite(
    CONFIG,
    text.replace('provideRouter(routes)', `provideRouter(routes${features}), ${provider}`),
  );
  return tree;
}

async function withModuleHash(options: string, before = ''): Promise<UnitTestTree> {
  const tree = await newApplication({ standalone: false });
  const path = '/src/app/app-routing-module.ts';
  const text = tree.readText(path);
  expect(text).toContain('RouterModule.forRoot(routes)');
  tree.overwrite(
    path,
    text
      .replace('@NgModule', `${before}@NgModule`)
      .replace('forRoot(routes)', `forRoot(routes, ${options})`),
  );
  return tree;
}

const ISR_SERVER = `import { ISRHandler } from '@rx-angular/isr/server';
import express from 'express';
import bootstrap from './main.server';

const app = express();
const isr = new ISRHandler({ bootstrap });
app.get('/{*splat}', (req, res, next) => isr.render(req, res, next));
`;

function withServer(tree: UnitTestTree, text: string): UnitTestTree {
  tree.overwrite('/src/server.ts', text);
  return tree;
}

const fresh = (): Promise<UnitTestTree> => newApplication({ ssr: true });

const cases: [string, () => Promise<UnitTestTree>, Record<string, unknown>, string, string?][] = [
  [
    'an unknown project',
    several,
    { project: 'shpo' },
    'There is no project "shpo" in angular.json: it has shop, admin. (NG_SSR_PROJECT_UNKNOWN)',
  ],
  [
    'no project where there are several',
    several,
    {},
    'There are several applications, shop, admin: choose one, as in ng COMMAND --project shop. (NG_SSR_PROJECT_AMBIGUOUS)',
  ],
  [
    'a library',
    library,
    { project: 'parts' },
    'Project "parts" is a library: only applications are served. The workspace has shop. (NG_SSR_PROJECT_NOT_APPLICATION)',
  ],
  [
    'the webpack builder',
    async () => setBuilder(await fresh(), '@angular-devkit/build-angular:browser'),
    {},
    'Project "shop" has the builder @angular-devkit/build-angular:browser; supported: @angular/build:application, @angular-devkit/build-angular:application, @nx/angular:application, @angular-builders/custom-esbuild:application. Run ng update @angular/cli --name use-application-builder first. (NG_SSR_BUILDER_UNSUPPORTED)',
  ],
  [
    "somebody else's builder",
    async () => setBuilder(await fresh(), '@nx/webpack:webpack'),
    {},
    'Project "shop" has the builder @nx/webpack:webpack; supported: @angular/build:application, @angular-devkit/build-angular:application, @nx/angular:application, @angular-builders/custom-esbuild:application. (NG_SSR_BUILDER_UNSUPPORTED)',
  ],
  [
    'Angular 20',
    async () => setAngular(await fresh(), '^20.3.0'),
    {},
    'This workspace has Angular ^20.3.0; supported: >=21.2.9 <23.0.0. Run "npm uninstall @ng-ssr/koa", "ng update @angular/core@21 @angular/cli@21", and this command again. (NG_SSR_ANGULAR_UNSUPPORTED)',
  ],
  [
    'an early Angular 21',
    async () => setAngular(await fresh(), '21.2.8'),
    {},
    'This workspace has Angular 21.2.8; supported: >=21.2.9 <23.0.0. Run "npm uninstall @ng-ssr/koa", "ng update @angular/core@21 @angular/cli@21", and this command again. (NG_SSR_ANGULAR_UNSUPPORTED)',
  ],
  [
    'a range of patches that are too old',
    async () => setAngular(await fresh(), '~21.1.0'),
    {},
    'This workspace has Angular ~21.1.0; supported: >=21.2.9 <23.0.0. Run "npm uninstall @ng-ssr/koa", "ng update @angular/core@21 @angular/cli@21", and this command again. (NG_SSR_ANGULAR_UNSUPPORTED)',
  ],
  [
    'an installed @angular/ssr that is older than the core',
    async () => {
      const tree = await fresh();
      tree.create('/node_modules/@angular/ssr/package.json', '{ "version": "21.1.5" }');
      return tree;
    },
    {},
    'This workspace has @angular/ssr 21.1.5; supported: >=21.2.9 <23.0.0. Run "npm uninstall @ng-ssr/koa", "ng update @angular/core@22 @angular/cli@22", and this command again. (NG_SSR_ANGULAR_UNSUPPORTED)',
  ],
  ...['@angular/build', '@angular-devkit/build-angular', '@angular/cli'].map(
    (name): (typeof cases)[number] => [
      `an installed ${name} that is older than the core`,
      async () => {
        const tree = setAngular(await fresh(), '^21.2.9');
        tree.create(`/node_modules/${name}/package.json`, '{ "version": "21.1.0" }');
        return tree;
      },
      {},
      `This workspace has ${name} 21.1.0; supported: >=21.2.9 <23.0.0. Run "npm uninstall @ng-ssr/koa", "ng update @angular/core@21 @angular/cli@21", and this command again. (NG_SSR_ANGULAR_UNSUPPORTED)`,
    ],
  ),
  [
    'Angular 23',
    async () => setAngular(await fresh(), '~23.0.0'),
    {},
    'This workspace has Angular ~23.0.0; supported: >=21.2.9 <23.0.0. Newer versions have not been tested with this version of ng-ssr: update ng-ssr. (NG_SSR_ANGULAR_UNSUPPORTED)',
  ],
  [
    'an installed Angular that is older than package.json says',
    async () => {
      const tree = await fresh();
      tree.create('/node_modules/@angular/core/package.json', '{ "version": "19.2.1" }');
      return tree;
    },
    {},
    'This workspace has Angular 19.2.1; supported: >=21.2.9 <23.0.0. Run "npm uninstall @ng-ssr/koa", "ng update @angular/core@20 @angular/cli@20", and this command again. (NG_SSR_ANGULAR_UNSUPPORTED)',
  ],
  [
    'routes in the fragment of the URL',
    async () => withHash(await newApplication(), 'withHashLocation()'),
    {},
    `The routes of "shop" are in the fragment of the URL, which browsers do not send, so a server would render "/" for each of them: remove withHashLocation() in src/app/app.config.ts first. (NG_SSR_HASH_LOCATION)`,
  ],
  [
    'routes in the fragment, with SSR and Express',
    async () => withHash(await fresh(), 'withHashLocation()'),
    {},
    'remove withHashLocation() in src/app/app.config.ts first. (NG_SSR_HASH_LOCATION)',
  ],
  [
    'routes of an NgModule in the fragment',
    async () => withModuleHash('{ useHash: true }'),
    {},
    'remove useHash: true in src/app/app-routing-module.ts first. (NG_SSR_HASH_LOCATION)',
  ],
  [
    'routes of an NgModule in the fragment, by options in a variable',
    async () => withModuleHash('options', 'const options = { useHash: true };\n'),
    {},
    'remove useHash: true in src/app/app-routing-module.ts first. (NG_SSR_HASH_LOCATION)',
  ],
  [
    'routes in the fragment, by a provider',
    async () =>
      withHash(
        await newApplication(),
        '',
        '{ provide: LocationStrategy, useClass: HashLocationStrategy }',
      ),
    {},
    'remove HashLocationStrategy in src/app/app.config.ts first. (NG_SSR_HASH_LOCATION)',
  ],
  [
    'no workspace',
    async () => {
      const tree = await fresh();
      tree.delete('/angular.json');
      return tree;
    },
    {},
    'There is no angular.json here: run this in an Angular workspace. (NG_SSR_WORKSPACE_MISSING)',
  ],
  [
    'no framework',
    fresh,
    {},
    '@ng-ssr/fetch needs --framework, one of hono, h3, elysia, as in ng COMMAND --framework hono. (NG_SSR_OPTION_INVALID)',
    'fetch',
  ],
];

describe.each([
  // And what stays installed.
  ['ng-add', 3, (adapter: string) => `add @ng-ssr/${adapter}`],
  ['server', 2, (adapter: string) => `generate @ng-ssr/${adapter}:server`],
])('%s refuses in %i lines and changes nothing', (schematic, lines, command) => {
  test.each(cases)('%s', async (_name, create, options, message, adapter = 'koa') => {
    const tree = await create();
    const before = filesOf(tree);
    const failure = runnerOf(adapter).runSchematic(schematic, options, tree);
    await expect(failure).rejects.toThrow(message.replace('COMMAND', command(adapter)));
    await expect(failure).rejects.toSatisfy(
      ({ message: said }: Error) => said.split('\n').length === lines,
    );
    expect(filesOf(tree)).toEqual(before);
  });

  test.each(['21.2.9', '^21.0.0', '~21.2.0', '~22.2.0', '>=22', '22', 'catalog:angular', 'next'])(
    'Angular %s is taken',
    async (range) => {
      const tree = setAngular(await fresh(), range);
      await expect(runnerOf('koa').runSchematic(schematic, {}, tree)).resolves.toBeDefined();
    },
  );

  test('an unknown option or engine', async () => {
    const run = (options: object) => async () =>
      runnerOf('koa').runSchematic(schematic, options, await fresh());
    await expect(run({ engine: 'fast' })).rejects.toThrow(/engine.*must be equal to one of/s);
    await expect(run({ overwirte: true })).rejects.toThrow(/Unknown option "overwirte"/);
  });
});

describe.each([
  ['@rx-angular/isr', '@rx-angular/isr/server'],
  ['ngx-isr', 'ngx-isr/server'],
])('a server that renders with %s', (library, module) => {
  const server = ISR_SERVER.replace('@rx-angular/isr/server', module);
  const said = `src/server.ts renders its pages with ${library}, which the page cache of ng-ssr replaces: ng add @ng-ssr/express --overwrite replaces the file and keeps a backup.`;
  const run = async (schematic: string, options = {}): Promise<UnitTestTree> =>
    runnerOf('express').runSchematic(schematic, options, withServer(await fresh(), server));

  test.each(['ng-add', 'middleware'])('%s refuses it with one advice', async (schematic) => {
    const error = await run(schematic).then(
      () => undefined,
      (cause: Error) => cause,
    );
    const lines = error!.message.split('\n');
    expect(lines[0]).toContain(said);
    expect(lines[1]).toMatch(
      /^For its options and your own routes: .*migrating\/rx-angular-isr\.md$/,
    );
    // The whole advice: no lines for a middleware, no command that refuses this server.
    expect(error!.message).not.toMatch(/ssrMiddleware|express:middleware|express:server/);
  });

  test('the command that the refusal names replaces it', async () => {
    const tree = await run('ng-add', { overwrite: true });
    expect(tree.readText('/src/server.ts')).toContain('createExpressSsrServer');
    expect(tree.readText('/src/server.ts.backup')).toBe(server);
  });
});

test.each([
  ...['>=20.0.0', '<23.0.0', '^20.3.0 || ^22.0.0', '20.3.0 - 22.2.0', '22.x'],
  ...['npm:@shop/angular-core@22.2.0', 'workspace:^22.0.0', 'catalog:angular-20'],
  ...['file:../v1/core', 'https://pkg.example/@angular/core@65432'],
])('%s does not say that Angular is too old or too new', async (range) => {
  const tree = setAngular(await fresh(), range);
  await expect(runnerOf('koa').runSchematic('ng-add', {}, tree)).resolves.toBeDefined();
});

test.each(['npm:@angular/core@20.3.0', '20.x', '^19.0.0 || ^20.0.0', '22.0.0 || ^23.0.0-next.1'])(
  '%s says that it is',
  async (range) => {
    const tree = setAngular(await fresh(), range);
    await expect(runnerOf('koa').runSchematic('ng-add', {}, tree)).rejects.toThrow(
      'NG_SSR_ANGULAR_UNSUPPORTED',
    );
  },
);

test('routes that may be in the fragment are no reason to refuse', async () => {
  const tree = withHash(await fresh(), '...(location.hash ? [withHashLocation()] : [])');
  await expect(runnerOf('koa').runSchematic('ng-add', {}, tree)).resolves.toBeDefined();
});
