import { isJsonObject } from '@angular-devkit/core';
import type { Tree } from '@angular-devkit/schematics';
import { dirname, relative } from 'node:path/posix';
import type { Framework } from './adapter.ts';
import type { EngineName } from './engine-choice.ts';
import { Manifest } from './manifest.ts';
import type { Project } from './project.ts';

/** The text of a server.ts at `path`. */
export function toServerFile(
  tree: Tree,
  packageName: string,
  framework: Framework,
  project: Project,
  engine: EngineName,
  path: string,
): string {
  const engineFactory = `${engine}Engine`;
  const options = [
    engine === 'app' ? 'engine: appEngine(),' : 'engine: commonEngine({ bootstrap }),',
    ...hostLines(project, engine),
    ...folderLines(project),
  ];
  const { imports, statements } = framework.serverFile({
    packageName,
    engineFactory,
    // With outputMode, which the app engine needs, the build keeps await for zone.js too.
    hasZone: engine === 'common' && Manifest.of(tree, project.root).has('zone.js'),
    options: options.map((line) => `  ${line}\n`).join(''),
  });
  const ours = engine === 'common' ? [bootstrapImport(tree, project, path)] : [];
  return `${[...imports, ...ours].join('\n')}\n\n${statements}`;
}

/** Hosts for local work, unless angular.json has a list, which the app engine's builds carry. */
function hostLines({ build }: Project, engine: EngineName): string[] {
  const { security } = build;
  const hosts = isJsonObject(security ?? null)
    ? (security as { allowedHosts?: unknown }).allowedHosts
    : undefined;
  if (engine === 'app' && Array.isArray(hosts) && hosts.length > 0) return [];
  return [
    '// For local work; in production the environment variable NG_ALLOWED_HOSTS names the hosts.',
    `allowedHosts: process.env['NG_ALLOWED_HOSTS'] ? undefined : ['localhost', '127.0.0.1'],`,
  ];
}

/** Only where the build has another folder than the server would look for. */
function folderLines({ build }: Project): string[] {
  const { outputPath } = build;
  const browser = isJsonObject(outputPath ?? null)
    ? (outputPath as { browser?: unknown }).browser
    : undefined;
  if (typeof browser !== 'string' || browser === 'browser') return [];
  return [`browserFolder: \`\${import.meta.dirname}/../${browser}\`,`];
}

/** What main.server.ts exports, under the one name that server.ts uses. */
function bootstrapImport(tree: Tree, { build, sourceRoot }: Project, path: string): string {
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
