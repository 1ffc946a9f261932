import { isJsonObject, type JsonObject, type JsonValue } from '@angular-devkit/core';
import { chain, type Rule, type SchematicContext, type Tree } from '@angular-devkit/schematics';
import {
  type ProjectDefinition,
  readWorkspace,
  type TargetDefinition,
  type WorkspaceDefinition,
} from '@schematics/angular/utility';
import { join } from 'node:path/posix';
import type { ServerOptions } from './adapter.ts';
import { type Cli, cliOf, staysUnformatted } from './cli.ts';
import { commandWith } from './commands.ts';
import { refuse } from './refusal.ts';

/** The schematics' data on the application that they change. */
export interface Project {
  readonly name: string;
  readonly root: string;
  readonly sourceRoot: string;
  /** The builder of the build target. */
  readonly builder: string;
  /** The options of the build target, as `ng build` takes them: with its default configuration. */
  readonly build: JsonObject;
  /** The locales of a localized build, the source locale first. */
  readonly locales: readonly Locale[];
  /** Whether commands must name the project. */
  readonly isOneOfSeveral: boolean;
  /** The program whose commands messages name. */
  readonly cli: Cli;
  /** Whether the user has to format the files that schematics write. */
  readonly staysUnformatted: boolean;
}

/** A locale of the build. */
export interface Locale {
  readonly code: string;
  /** Its folder in the build: its own name unless angular.json has a `subPath`, which may be empty. */
  readonly folder: string;
}

/** The application builder, and those that pass its options on to it. */
const SUPPORTED_BUILDERS = [
  '@angular/build:application',
  '@angular-devkit/build-angular:application',
  '@nx/angular:application',
  '@angular-builders/custom-esbuild:application',
];

/** Where the CLI looks for the workspace, in this order. */
const WORKSPACE_PATHS = ['/angular.json', '/.angular.json'] as const;

/**
 * Runs a rule in a workspace whose file has the CLI's other name: Angular's schematics support only one.
 */
export function withWorkspaceFile(rule: Rule): Rule {
  const [path, otherPath] = WORKSPACE_PATHS;
  return (tree) => {
    if (tree.exists(path)) return rule;
    tree.create(path, tree.readText(otherPath));
    return chain([
      rule,
      (changed) => {
        changed.overwrite(otherPath, changed.readText(path));
        changed.delete(path);
      },
    ]);
  };
}

/** The options of `ng build` without `--configuration`. */
export function buildOptionsOf({
  options,
  configurations,
  defaultConfiguration = 'production',
}: TargetDefinition): JsonObject {
  return { ...options, ...configurations?.[defaultConfiguration] } as JsonObject;
}

/**
 * The application to change.
 *
 * @param options - The command's options: without `--project`, the workspace's only application.
 */
export async function readProject(
  tree: Tree,
  context: SchematicContext,
  options: ServerOptions,
): Promise<Project> {
  const path = WORKSPACE_PATHS.find((candidate) => tree.exists(candidate));
  if (path === undefined) {
    throw refuse(
      'NG_SSR_WORKSPACE_MISSING',
      'There is no angular.json here: run this in an Angular workspace.',
    );
  }
  const cli = cliOf(tree);
  const workspace = await readWorkspace(tree, path);
  const commandFor = (project: string): string =>
    commandWith(context, cli, { ...options, project });
  const chosen = options.project ?? onlyApplication(workspace, commandFor);
  const project = workspace.projects.get(chosen);
  if (project === undefined) {
    throw refuse(
      'NG_SSR_PROJECT_UNKNOWN',
      `There is no project "${chosen}" in ${cli === 'nx' ? 'this workspace' : 'angular.json'}: it has ${list([...workspace.projects.keys()])}.`,
    );
  }
  if (project.extensions['projectType'] !== 'application') {
    throw refuse(
      'NG_SSR_PROJECT_NOT_APPLICATION',
      `Project "${chosen}" is a ${project.extensions['projectType'] ?? 'project without a type'}: only applications are served. ${applicationsOf(workspace)}`,
    );
  }
  assertBuilder(chosen, project, cli);
  return {
    name: chosen,
    root: project.root,
    sourceRoot: project.sourceRoot ?? join(project.root, 'src'),
    builder: project.targets.get('build')!.builder,
    build: buildOptionsOf(project.targets.get('build')!),
    locales: localesOf(project),
    isOneOfSeveral: workspace.projects.size > 1,
    cli,
    staysUnformatted: staysUnformatted(tree),
  };
}

function onlyApplication(
  workspace: WorkspaceDefinition,
  commandFor: (project: string) => string,
): string {
  const names = applicationNames(workspace);
  if (names.length === 1) return names[0]!;
  throw refuse(
    'NG_SSR_PROJECT_AMBIGUOUS',
    names.length === 0
      ? 'There is no application in this workspace.'
      : `There are several applications, ${list(names)}: choose one, as in ${commandFor(names[0]!)}.`,
  );
}

function assertBuilder(name: string, project: ProjectDefinition, cli: Cli): void {
  const builder = project.targets.get('build')?.builder;
  if (builder !== undefined && SUPPORTED_BUILDERS.includes(builder)) return;
  const isWebpack =
    builder !== undefined && /:(browser|browser-esbuild|webpack-browser)$/.test(builder);
  const migration =
    cli === 'nx'
      ? `nx generate @nx/angular:convert-to-application-executor ${name}`
      : 'ng update @angular/cli --name use-application-builder';
  throw refuse(
    'NG_SSR_BUILDER_UNSUPPORTED',
    `Project "${name}" has ${builder === undefined ? 'no builder' : `the builder ${builder}`}; supported: ${list(SUPPORTED_BUILDERS)}.` +
      (isWebpack ? ` Run ${migration} first.` : ''),
  );
}

function localesOf({ extensions, targets }: ProjectDefinition): Locale[] {
  const { i18n } = extensions;
  const builds = targets.get('build');
  const all = [builds?.options, ...Object.values(builds?.configurations ?? {})];
  const localized = all.map((options) => options?.['localize']).find(Boolean);
  if (!localized || !isJsonObject(i18n ?? null)) return [];
  const { sourceLocale = null, locales } = i18n as JsonObject;
  const source = isJsonObject(sourceLocale) ? sourceLocale['code'] : sourceLocale;
  return [
    toLocale(typeof source === 'string' ? source : 'en-US', sourceLocale),
    ...Object.entries((locales as JsonObject | undefined) ?? {}).map(([code, locale]) =>
      toLocale(code, locale),
    ),
  ].filter(({ code }) => !Array.isArray(localized) || localized.includes(code));
}

function toLocale(code: string, declared: JsonValue): Locale {
  const subPath = isJsonObject(declared) ? declared['subPath'] : undefined;
  return { code, folder: typeof subPath === 'string' ? subPath : code };
}

function applicationNames(workspace: WorkspaceDefinition): string[] {
  return [...workspace.projects]
    .filter(([, { extensions }]) => extensions['projectType'] === 'application')
    .map(([name]) => name);
}

function applicationsOf(workspace: WorkspaceDefinition): string {
  const names = applicationNames(workspace);
  return names.length === 0 ? 'The workspace has none.' : `The workspace has ${list(names)}.`;
}

function list(names: readonly string[]): string {
  return names.length === 0 ? 'none' : names.join(', ');
}
