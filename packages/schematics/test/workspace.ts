import { fileURLToPath } from 'node:url';
import { SchematicTestRunner, UnitTestTree } from '@angular-devkit/schematics/testing';
import { format, type Options } from 'prettier';
import { VERSION } from './version.ts';

/** Options of Angular's own application schematic. */
export interface ApplicationOptions {
  readonly name?: string;
  readonly ssr?: boolean;
  readonly standalone?: boolean;
  readonly zoneless?: boolean;
  readonly projectRoot?: string;
}

/** The project's own schematics, compiled. */
export function runnerOf(adapter: string): SchematicTestRunner {
  const collection = new URL(`../dist/${adapter}.collection.json`, import.meta.url);
  return new SchematicTestRunner(`@ng-ssr/${adapter}`, fileURLToPath(collection));
}

/** A workspace without projects, as `ng new --no-create-application` makes it, in memory. */
export async function emptyWorkspace(): Promise<UnitTestTree> {
  const options = { name: 'shop', version: '22.2.0', newProjectRoot: 'projects' };
  return runnerOf('koa').runExternalSchematic('@schematics/angular', 'workspace', options);
}

/** Adds an application as `ng generate application` does. */
export async function addApplication(
  tree: UnitTestTree,
  options: ApplicationOptions,
): Promise<UnitTestTree> {
  return runnerOf('koa').runExternalSchematic(
    '@schematics/angular',
    'application',
    { name: 'shop', routing: true, skipTests: true, skipInstall: true, minimal: true, ...options },
    tree,
  );
}

/** A workspace with one application at its root, as `ng new` makes it. */
export async function newApplication(options: ApplicationOptions = {}): Promise<UnitTestTree> {
  const tree = await addApplication(await emptyWorkspace(), { projectRoot: '', ...options });
  // The files that Angular's schematics only read, so that a start is as small as can be.
  for (const path of ['/README.md', '/.editorconfig', '/.gitignore', '/.prettierrc']) {
    if (tree.exists(path)) tree.delete(path);
  }
  return tree;
}

/**
 * A workspace as `ng new` leaves it: with tests, editor settings and Prettier's options, in which the
 * CLI has had Prettier format what it wrote.
 */
export async function newWorkspace(options: ApplicationOptions = {}): Promise<UnitTestTree> {
  const tree = await runnerOf('koa').runExternalSchematic('@schematics/angular', 'ng-new', {
    name: 'shop',
    version: '22.2.0',
    directory: '.',
    routing: true,
    skipGit: true,
    skipInstall: true,
    ...options,
  });
  await formatWith(tree, tree.readJson('/.prettierrc') as Options, '/src/server.ts');
  return tree;
}

/** Formats files of the tree, as the CLI does after each schematic. */
export async function formatWith(
  tree: UnitTestTree,
  options: Options,
  ...paths: string[]
): Promise<void> {
  for (const path of paths.filter((one) => tree.exists(one))) {
    tree.overwrite(path, await format(tree.readText(path), { parser: 'typescript', ...options }));
  }
}

/** The formats that workspaces have: what Prettier's options make of line ends, quotes, parentheses. */
export const formats: readonly Options[] = [80, 100, 120].flatMap((printWidth) =>
  [true, false].flatMap((singleQuote) =>
    (['always', 'avoid'] as const).map((arrowParens) => ({ printWidth, singleQuote, arrowParens })),
  ),
);

/** Another tree with the same files. */
export function copyOf(tree: UnitTestTree): UnitTestTree {
  return new UnitTestTree(tree.branch());
}

/** Changes a JSON file of the tree. */
export function editJson<T>(tree: UnitTestTree, path: string, edit: (json: T) => void): void {
  const json = tree.readJson(path) as T;
  edit(json);
  tree.overwrite(path, `${JSON.stringify(json, null, 2)}\n`);
}

/** The options of a project's build, to be changed. */
export interface AngularJson {
  projects: Record<
    string,
    {
      projectType: string;
      root: string;
      i18n?: unknown;
      architect: Record<
        string,
        { builder: string; options: Record<string, unknown>; configurations?: object }
      >;
    }
  >;
}

/** Changes the options of a project's build. */
export function editBuild(
  tree: UnitTestTree,
  edit: (options: Record<string, unknown>) => void,
  project = 'shop',
): void {
  editJson<AngularJson>(tree, '/angular.json', ({ projects }) =>
    edit(projects[project]!.architect['build']!.options),
  );
}

/** The package.json of an application. */
export interface PackageJson {
  scripts: Record<string, string>;
  dependencies: Record<string, string>;
  devDependencies: Record<string, string>;
  [section: string]: unknown;
}

/** Does what the CLI's `ng add` does before it runs the schematic. */
export function save(tree: UnitTestTree, adapter: string, path = '/package.json'): void {
  editJson<PackageJson>(tree, path, (json) => {
    const all = { ...json.dependencies, [`@ng-ssr/${adapter}`]: `^${VERSION}` };
    json.dependencies = Object.fromEntries(
      Object.entries(all).sort(([one], [other]) => (one < other ? -1 : 1)),
    );
  });
}

/** Makes the application's `build` one of another builder. */
export function setBuilder(tree: UnitTestTree, builder: string): UnitTestTree {
  editJson<AngularJson>(tree, '/angular.json', ({ projects: { shop } }) => {
    shop!.architect['build']!.builder = builder;
  });
  return tree;
}

/** Every server that `ng add` writes: the package, and its options. */
export const servers = [
  ['node', {}],
  ['koa', {}],
  ['fastify', {}],
  ['express', {}],
  ['fetch', { framework: 'hono' }],
  ['fetch', { framework: 'h3' }],
  ['fetch', { framework: 'elysia' }],
] as const;
