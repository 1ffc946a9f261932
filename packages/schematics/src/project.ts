import { isJsonObject, type JsonObject } from '@angular-devkit/core';
import type { Tree } from '@angular-devkit/schematics';
import {
  type ProjectDefinition,
  readWorkspace,
  type WorkspaceDefinition,
} from '@schematics/angular/utility';
import { join } from 'node:path/posix';
import { refuse } from './refusal.ts';

/** What the schematics know of the application they change. */
export interface Project {
  readonly name: string;
  readonly root: string;
  readonly sourceRoot: string;
  /** The options of the build target. */
  readonly build: JsonObject;
  /** The locales of a build that is localized, the source's first. */
  readonly locales: readonly string[];
  /** Whether commands must name the project. */
  readonly isOneOfSeveral: boolean;
}

const SUPPORTED_BUILDERS = [
  '@angular/build:application',
  '@angular-devkit/build-angular:application',
];

/**
 * The application to change.
 *
 * @param name - `--project`; without it, the workspace's only application.
 */
export async function readProject(tree: Tree, name: string | undefined): Promise<Project> {
  if (!tree.exists('/angular.json') && !tree.exists('/.angular.json')) {
    throw refuse(
      'NG_SSR_WORKSPACE_MISSING',
      'There is no angular.json here: run this in an Angular workspace.',
    );
  }
  const workspace = await readWorkspace(tree);
  const chosen = name ?? onlyApplication(workspace);
  const project = workspace.projects.get(chosen);
  if (project === undefined) {
    throw refuse(
      'NG_SSR_PROJECT_UNKNOWN',
      `There is no project "${chosen}" in angular.json: it has ${list([...workspace.projects.keys()])}.`,
    );
  }
  if (project.extensions['projectType'] !== 'application') {
    throw refuse(
      'NG_SSR_PROJECT_NOT_APPLICATION',
      `Project "${chosen}" is a ${project.extensions['projectType'] ?? 'project of no type'}: only applications are served. ${applicationsOf(workspace)}`,
    );
  }
  assertBuilder(chosen, project);
  return {
    name: chosen,
    root: project.root,
    sourceRoot: project.sourceRoot ?? join(project.root, 'src'),
    build: (project.targets.get('build')!.options ?? {}) as JsonObject,
    locales: localesOf(project),
    isOneOfSeveral: workspace.projects.size > 1,
  };
}

function onlyApplication(workspace: WorkspaceDefinition): string {
  const names = applicationNames(workspace);
  if (names.length === 1) return names[0]!;
  throw refuse(
    'NG_SSR_PROJECT_AMBIGUOUS',
    names.length === 0
      ? 'There is no application in angular.json.'
      : `There are several applications: choose one with --project ${names.join(' or --project ')}.`,
  );
}

function assertBuilder(name: string, project: ProjectDefinition): void {
  const builder = project.targets.get('build')?.builder;
  if (builder !== undefined && SUPPORTED_BUILDERS.includes(builder)) return;
  const isWebpack = builder !== undefined && /:(browser|browser-esbuild)$/.test(builder);
  throw refuse(
    'NG_SSR_BUILDER_UNSUPPORTED',
    `Project "${name}" is built by ${builder ?? 'nothing'}: supported are ${list(SUPPORTED_BUILDERS)}.` +
      (isWebpack ? ' Run ng update @angular/cli --name use-application-builder first.' : ''),
  );
}

function localesOf({ extensions, targets }: ProjectDefinition): string[] {
  const { i18n } = extensions;
  const builds = targets.get('build');
  const all = [builds?.options, ...Object.values(builds?.configurations ?? {})];
  const localized = all.map((options) => options?.['localize']).find(Boolean);
  if (!localized || !isJsonObject(i18n ?? null)) return [];
  const { sourceLocale, locales } = i18n as JsonObject;
  const source = typeof sourceLocale === 'string' ? sourceLocale : 'en-US';
  return [source, ...Object.keys((locales as JsonObject | undefined) ?? {})];
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
