import { existsSync, readFileSync, statSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';
import { SsrError } from '@ng-ssr/core/pack';
import { wrongArguments } from '../../wrong-arguments.ts';

/** Where a build is. */
export interface BuildPlace {
  readonly outputPath: string;
  /** The folder with the files for browsers. */
  readonly browserFolder: string;
  /** The program that serves it. */
  readonly server: string;
  /** The folder of angular.json or of package.json, whichever is nearest. */
  readonly workspace: string;
  /** The project of angular.json that has written it; undefined if none names this output path. */
  readonly project: AngularProject | undefined;
}

/** A project of angular.json, as far as it is read. */
export interface AngularProject {
  readonly name: string;
  readonly build: BuildOptions;
}

interface BuildOptions {
  readonly outputPath?:
    string | { readonly base?: string; readonly server?: string; readonly browser?: string };
  readonly ssr?: unknown;
  readonly server?: unknown;
  readonly sourceMap?: unknown;
}

/** What the command line says about it. */
export interface Wanted {
  readonly outputPath: string | undefined;
  readonly project: string | undefined;
  readonly browser: string | undefined;
  readonly server: string | undefined;
}

/**
 * Finds a build: at the given output path, else that of the project in the nearest angular.json.
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID` if there are several projects and none is named, or an unknown one;
 * `NG_SSR_BROWSER_FOLDER_MISSING`
 */
export function findBuild(from: string, wanted: Wanted): BuildPlace {
  const start = wanted.outputPath === undefined ? from : resolve(from, wanted.outputPath);
  const workspace = findUpwards(start, ['angular.json']) ?? findUpwards(start, ['package.json']);
  const projects = workspace === undefined ? [] : readProjects(workspace);
  const { outputPath, project } =
    wanted.outputPath === undefined
      ? chooseProject(projects, wanted.project, workspace)
      : {
          outputPath: start,
          project:
            wanted.project === undefined
              ? projects.find((each) => pathOf(workspace!, each) === start)
              : findProject(projects, wanted.project),
        };
  const given = project?.build.outputPath;
  const names = typeof given === 'object' ? given : {};
  const browserFolder = join(outputPath, wanted.browser ?? names.browser ?? 'browser');
  if (statSync(browserFolder, { throwIfNoEntry: false })?.isDirectory() !== true) {
    throw new SsrError('NG_SSR_BROWSER_FOLDER_MISSING', missing(browserFolder));
  }
  const server = resolve(outputPath, wanted.server ?? join(names.server ?? 'server', 'server.mjs'));
  return {
    outputPath,
    browserFolder,
    server,
    workspace: workspace ?? dirname(outputPath),
    project,
  };
}

function missing(browserFolder: string): string {
  const outputPath = dirname(browserFolder);
  const inside = ['browser', 'server'].includes(basename(outputPath));
  const advice = inside
    ? `Pass the folder above it: ng-ssr doctor ${dirname(outputPath)}`
    : 'Run "ng build" first, and pass its output path. If the browser folder has another name, pass it with --browser';
  return `${browserFolder} is not a folder. ${advice}`;
}

function chooseProject(
  projects: readonly AngularProject[],
  name: string | undefined,
  workspace: string | undefined,
): { readonly outputPath: string; readonly project: AngularProject } {
  if (workspace === undefined || projects.length === 0) {
    throw wrongArguments(
      `no angular.json with a server was found in ${process.cwd()} or above: pass the output path, as in dist/shop`,
    );
  }
  if (name === undefined && projects.length > 1) {
    throw wrongArguments(
      `angular.json has several projects with a server: pass one with --project: ${namesOf(projects)}`,
    );
  }
  const project = name === undefined ? projects[0]! : findProject(projects, name);
  return { outputPath: pathOf(workspace, project), project };
}

function findProject(projects: readonly AngularProject[], name: string): AngularProject {
  const project = projects.find((each) => each.name === name);
  if (project !== undefined) return project;
  const advice =
    projects.length === 0
      ? 'no angular.json with a server was found above the output path'
      : `allowed: ${namesOf(projects)}`;
  throw wrongArguments(`--project is ${JSON.stringify(name)}; ${advice}`);
}

function namesOf(projects: readonly AngularProject[]): string {
  return projects.map(({ name }) => name).join(', ');
}

function pathOf(workspace: string, { name, build: { outputPath } }: AngularProject): string {
  const base = typeof outputPath === 'string' ? outputPath : outputPath?.base;
  return resolve(workspace, base ?? join('dist', name));
}

/** Those that build a server. */
function readProjects(workspace: string): readonly AngularProject[] {
  const file = join(workspace, 'angular.json');
  if (!existsSync(file)) return [];
  const { projects = {} } = parseAngularJson(file);
  return Object.entries(projects).flatMap(([name, { architect, targets }]) => {
    const build = (architect ?? targets)?.['build']?.options;
    return build?.ssr || build?.server ? [{ name, build }] : [];
  });
}

interface AngularJson {
  readonly projects?: Readonly<Record<string, Project>>;
}

interface Project {
  readonly architect?: Targets;
  readonly targets?: Targets;
}

type Targets = Readonly<Record<string, { readonly options?: BuildOptions } | undefined>>;

function parseAngularJson(file: string): AngularJson {
  try {
    // The Angular CLI allows comments on lines of their own.
    const text = readFileSync(file, 'utf8').replace(/^\s*\/\/.*$/gm, '');
    return JSON.parse(text) as AngularJson;
  } catch (cause) {
    throw wrongArguments(`${file} cannot be read: ${(cause as Error).message}`);
  }
}

/** The nearest folder above a path that has one of the files. */
function findUpwards(path: string, files: readonly string[]): string | undefined {
  for (let folder = path; ; folder = dirname(folder)) {
    if (files.some((file) => existsSync(join(folder, file)))) return folder;
    if (folder === dirname(folder)) return undefined;
  }
}
