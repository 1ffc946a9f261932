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
    'This workspace has Angular ^20.3.0; supported: 21 and 22, because the engines pass each render to main.server.ts in a BootstrapContext, which Angular has since 21. Run ng update @angular/core@21 first. (NG_SSR_ANGULAR_UNSUPPORTED)',
  ],
  [
    'Angular 23',
    async () => setAngular(await fresh(), '~23.0.0'),
    {},
    'This workspace has Angular ~23.0.0; supported: 21 and 22, because newer versions have not been tested with this version of ng-ssr: update ng-ssr. (NG_SSR_ANGULAR_UNSUPPORTED)',
  ],
  [
    'an installed Angular that is older than package.json says',
    async () => {
      const tree = await fresh();
      tree.create('/node_modules/@angular/core/package.json', '{ "version": "19.2.1" }');
      return tree;
    },
    {},
    'This workspace has Angular 19.2.1; supported: 21 and 22, because the engines pass each render to main.server.ts in a BootstrapContext, which Angular has since 21. Run ng update @angular/core@21 first. (NG_SSR_ANGULAR_UNSUPPORTED)',
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

  test.each(['21.0.0', '^21.2.0', '~22.2.0', '>=22', 'catalog:angular', 'next'])(
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
