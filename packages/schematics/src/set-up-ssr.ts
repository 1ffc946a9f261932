import { isJsonObject, type JsonObject } from '@angular-devkit/core';
import { chain, externalSchematic, type Rule, type Tree } from '@angular-devkit/schematics';
import { type TargetDefinition, updateWorkspace } from '@schematics/angular/utility';
import { JSONFile } from '@schematics/angular/utility/json-file';
import { dirname, join, relative } from 'node:path/posix';
import type { EngineName } from './engine-name.ts';
import { Manifest } from './manifest.ts';
import { buildOptionsOf, type Project } from './project.ts';
import { addSsr } from './ssr-range.ts';

const SSR_PACKAGES = ['@angular/platform-server', '@angular/ssr', '@types/node'] as const;

/** The packages that Angular's schematic adds to package.json. */
const SET_UP_PACKAGES = [...SSR_PACKAGES, 'express', '@types/express'];

/**
 * Does the same as `ng add @angular/ssr`, but without Express, and changes only the required packages in
 * package.json: that schematic rewrites the whole file.
 *
 * @param did - Gets each change that is not part of any set-up, a phrase.
 */
export function setUpSsr(project: Project, manifest: Manifest, did: (what: string) => void): Rule {
  return (tree) => {
    const root = new Manifest(tree, '/package.json');
    const before = tree.readText(root.path);
    // It looks for Angular's version only in the workspace's package.json.
    root.addDependency('@angular/core', manifest.rangeOf('@angular/core') ?? '*');
    // It warns that it replaces the ranges of existing packages; these are restored afterwards.
    for (const name of SET_UP_PACKAGES) root.removeDependency(name);
    const takeBack: Rule = (changed) => {
      const [server, ssr, types] = SSR_PACKAGES.map((name) => root.rangeOf(name)!);
      changed.overwrite(root.path, before);
      manifest.addDependency('@angular/platform-server', server!);
      for (const what of addSsr(changed, manifest, ssr!)) did(what);
      manifest.addDependency('@types/node', types!, 'devDependencies');
    };
    const options = { project: project.name, skipInstall: true };
    return chain([
      setBuilder(project, KNOWN_BUILDER),
      externalSchematic('@schematics/angular', 'ssr', options),
      setBuilder(project, project.builder),
      correctTsConfig(project),
      takeBack,
    ]);
  };
}

/** The builder that Angular's schematic recognises; it takes any other for webpack's. */
const KNOWN_BUILDER = '@angular/build:application';

function setBuilder({ name }: Project, builder: string): Rule {
  return updateWorkspace((workspace) => {
    workspace.projects.get(name)!.targets.get('build')!.builder = builder;
  });
}

/**
 * Angular's schematic lists its files as seen from the project's root, wherever the tsconfig is. Then `ng build` does not
 * find them.
 */
function correctTsConfig({ build }: Project): Rule {
  return (tree) => {
    const path = build['tsConfig'];
    if (typeof path !== 'string' || !tree.exists(path)) return;
    const json = new JSONFile(tree, path);
    const files = json.get(['files']);
    if (!Array.isArray(files)) return;
    const folder = dirname(path);
    const isMisplaced = (file: string): boolean =>
      !tree.exists(join(folder, file)) && tree.exists(file);
    if (!files.some(isMisplaced)) return;
    json.modify(
      ['files'],
      files.map((file: string) => (isMisplaced(file) ? relative(folder, file) : file)),
    );
  };
}

/** Configures the build for the engine, with this file as its server. */
export function setBuildOptions(project: Project, engine: EngineName, entry: string): Rule {
  return updateWorkspace((workspace) => {
    const target = workspace.projects.get(project.name)!.targets.get('build')!;
    const options = (target.options ??= {});
    const { ssr, outputMode } = buildOptionsOf(target);
    if ((ssr as { entry?: string } | undefined)?.entry !== entry) {
      options['ssr'] = { ...(isJsonObject(ssr ?? null) ? (ssr as JsonObject) : {}), entry };
      dropFromConfigurations(target, ['ssr']);
    }
    if (engine === 'app' && outputMode !== 'server') {
      options['outputMode'] = 'server';
      delete options['prerender'];
      delete options['appShell'];
      dropFromConfigurations(target, ['outputMode', 'prerender', 'appShell']);
    }
  });
}

/** A build for CommonEngine: without `outputMode`, it prerenders routes without parameters. */
export function setCommonBuild(project: Project): Rule {
  return updateWorkspace((workspace) => {
    const target = workspace.projects.get(project.name)!.targets.get('build')!;
    const options = (target.options ??= {});
    delete options['outputMode'];
    dropFromConfigurations(target, ['outputMode']);
    options['prerender'] ??= true;
  });
}

/** Applies the options to the default configuration too. */
function dropFromConfigurations(
  { configurations, defaultConfiguration = 'production' }: TargetDefinition,
  names: readonly string[],
): void {
  const configuration = configurations?.[defaultConfiguration];
  for (const name of names) delete configuration?.[name];
}

/** Adds a file to a tsconfig that lists its files one by one, and Node's types where types are listed. */
export function addToTsConfig(tree: Tree, { build }: Project, file: string): void {
  const path = build['tsConfig'];
  if (typeof path !== 'string' || !tree.exists(path)) return;
  const json = new JSONFile(tree, path);
  const files = json.get(['files']);
  const local = relative(dirname(path), file);
  if (Array.isArray(files) && !files.includes(local)) json.modify(['files'], [...files, local]);
  const types = json.get(['compilerOptions', 'types']);
  if (Array.isArray(types) && !types.includes('node')) {
    json.modify(['compilerOptions', 'types'], [...types, 'node']);
  }
}

/** A configuration of build and serve with another server file: `ng build -c production,<name>`. */
export function addBuildConfiguration(project: Project, name: string, entry: string): Rule {
  return updateWorkspace((workspace) => {
    const { targets } = workspace.projects.get(project.name)!;
    const build = targets.get('build')!;
    (build.configurations ??= {})[name] ??= { ssr: { entry } };
    const serve = targets.get('serve');
    if (serve === undefined) return;
    const base = build.configurations['development'] === undefined ? name : `development,${name}`;
    (serve.configurations ??= {})[name] ??= { buildTarget: `${project.name}:build:${base}` };
  });
}
