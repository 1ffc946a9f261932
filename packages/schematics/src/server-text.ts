import { isJsonObject } from '@angular-devkit/core';
import type { Tree } from '@angular-devkit/schematics';
import { dirname, relative } from 'node:path/posix';
import type { Framework } from './adapter.ts';
import type { EngineName } from './engine-name.ts';
import type { Project } from './project.ts';

/** The differences between server.ts files of one framework. */
export interface ServerTextInputs {
  readonly packageName: string;
  readonly framework: Framework;
  readonly engine: EngineName;
  /** Whether the build contains a list of hosts. */
  readonly hasHosts: boolean;
  /** The build's browser folder, where it is not `browser`. */
  readonly browserFolder: string | undefined;
  /** The import of main.server.ts's export, under the name `bootstrap`. */
  readonly bootstrapImport: string;
}

/** The text of a server.ts. */
export function serverText({
  packageName,
  framework,
  engine,
  hasHosts,
  browserFolder,
  bootstrapImport,
}: ServerTextInputs): string {
  const options = [
    engine === 'app' ? 'engine: appEngine()' : 'engine: commonEngine({ bootstrap })',
    ...(hasHosts ? [] : LOCAL_HOSTS),
    ...(browserFolder === undefined
      ? []
      : [`files: { folder: \`\${import.meta.dirname}/../${browserFolder}\` }`]),
  ];
  const { imports, statements } = framework.serverFile({
    packageName,
    engineFactory: `${engine}Engine`,
    options: options.map((option) => `  ${option},\n`).join(''),
  });
  const ours = engine === 'common' ? [bootstrapImport] : [];
  return `${[...imports, ...ours].join('\n')}\n\n${statements}`;
}

/** The option that is a list of hosts for local work. */
export const LOCAL_HOSTS = [
  '// For local development. In production, NG_ALLOWED_HOSTS names the hosts.\n' +
    `  allowedHosts: process.env['NG_ALLOWED_HOSTS'] ? undefined : ['localhost', '127.0.0.1']`,
];

/** The text of a project's server.ts at `path`. */
export function projectServerText(
  tree: Tree,
  packageName: string,
  framework: Framework,
  project: Project,
  engine: EngineName,
  path: string,
): string {
  return serverText({
    packageName,
    framework,
    engine,
    hasHosts: engine === 'app' && hostsOf(project).length > 0,
    browserFolder: browserFolderOf(project),
    bootstrapImport: bootstrapImport(tree, project, path),
  });
}

/** The hosts in angular.json, which builds for the app engine contain. */
export function hostsOf({ build: { security } }: Project): readonly unknown[] {
  const hosts = isJsonObject(security ?? null)
    ? (security as { allowedHosts?: unknown }).allowedHosts
    : undefined;
  return Array.isArray(hosts) ? hosts : [];
}

/** Only where the build's folder differs from the server's default. */
export function browserFolderOf({ build: { outputPath } }: Project): string | undefined {
  const browser = isJsonObject(outputPath ?? null)
    ? (outputPath as { browser?: unknown }).browser
    : undefined;
  return typeof browser === 'string' && browser !== 'browser' ? browser : undefined;
}

/** The export of main.server.ts, under the name that server.ts uses. */
export function bootstrapImport(tree: Tree, { build, sourceRoot }: Project, path: string): string {
  const main =
    typeof build['server'] === 'string' ? build['server'] : `${sourceRoot}/main.server.ts`;
  const between = relative(dirname(path), main).replace(/\.ts$/, '');
  const specifier = between.startsWith('.') ? between : `./${between}`;
  const text = tree.exists(main) ? tree.readText(main) : '';
  const module = /export\s*\{\s*(\w+)\s*\}/.exec(text)?.[1];
  const hasDefault = /export\s+default\b|\bas\s+default\b/.test(text);
  return hasDefault || module === undefined
    ? `import bootstrap from '${specifier}';`
    : `import { ${module} as bootstrap } from '${specifier}';`;
}
