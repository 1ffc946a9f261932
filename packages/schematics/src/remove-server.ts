import type { Rule, Tree } from '@angular-devkit/schematics';
import { NodePackageInstallTask } from '@angular-devkit/schematics/tasks';
import { latestVersions } from '@schematics/angular/utility/latest-versions';
import type { Adapter, ServerOptions } from './adapter.ts';
import { detectEngine, type EngineName } from './engine-choice.ts';
import { Manifest } from './manifest.ts';
import { broughtBy } from './package-changes.ts';
import { removeUnused } from './package-removal.ts';
import { freeName } from './place.ts';
import { type Project, readProject } from './project.ts';
import { refuse } from './refusal.ts';
import { newestScaffold } from './scaffold.ts';
import { readServerFile } from './server-file.ts';
import { bootstrapImport, browserFolderOf } from './server-text.ts';

/** Express for Angular's server.ts: that of CommonEngine has paths which Express 5 does not take. */
const EXPRESS: Record<EngineName, Readonly<Record<'express' | '@types/express', string>>> = {
  app: { express: latestVersions['express']!, '@types/express': latestVersions['@types/express']! },
  common: { express: '^4.21.0', '@types/express': '^4.17.21' },
};

/** `ng generate <package>:remove`: goes back to the server.ts that the Angular CLI writes. */
export function removeServer(
  { packageName }: Adapter,
  { project: name, overwrite, skipInstall }: ServerOptions,
): Rule {
  return async (tree, context) => {
    const project = await readProject(tree, name);
    const manifest = Manifest.of(tree, project.root);
    const present = readServerFile(tree, project);
    const { path, adapterPackage, isUntouched } = present;
    if (adapterPackage !== packageName) {
      context.logger.info(`${path} is not a server of ${packageName}; nothing was changed.`);
      return;
    }
    if (!isUntouched && overwrite !== true) {
      throw refuse(
        'NG_SSR_SERVER_FILE_CHANGED',
        `${path} has changes of yours: --overwrite puts Angular's in its place and keeps a backup.`,
      );
    }
    const engine = detectEngine(project, present);
    const left = broughtBy(present).filter((one) => one !== 'express');
    const backup = isUntouched ? undefined : freeName(tree, path);
    if (backup !== undefined) tree.rename(path, backup);
    const versions = EXPRESS[engine];
    const express = manifest.rangeOf('express') ?? versions.express;
    const text = toScaffold(tree, project, engine, path, express);
    if (tree.exists(path)) tree.overwrite(path, text);
    else tree.create(path, text);

    const added = [
      ...(manifest.addRuntimeDependency('express', versions.express) ? ['express'] : []),
      ...(manifest.addDependency('@types/express', versions['@types/express'], 'devDependencies')
        ? ['@types/express']
        : []),
    ];
    const removed = backup === undefined ? removeUnused(tree, manifest, left) : [];
    const changes = [
      ...(added.length === 0 ? [] : [`added ${added.join(', ')}`]),
      ...(removed.length === 0 ? [] : [`removed ${removed.join(', ')}, which nothing else used`]),
    ];
    if (changes.length > 0 && skipInstall !== true) context.addTask(new NodePackageInstallTask());
    const kept = backup === undefined ? [] : [`kept the old one as ${backup}`];
    context.logger.info(`${packageName}: "${project.name}" has the server of the Angular CLI.`);
    context.logger.info(`  Done: ${[`wrote ${path}`, ...kept, ...changes].join('; ')}.`);
    if (engine === 'common') {
      context.logger.info('  Set NG_ALLOWED_HOSTS=your.host: CommonEngine renders for no other.');
    }
  };
}

function toScaffold(
  tree: Tree,
  project: Project,
  engine: EngineName,
  path: string,
  express: string,
): string {
  const text = newestScaffold(engine)
    .replace('../browser', `../${browserFolderOf(project) ?? 'browser'}`)
    .replace("import bootstrap from './main.server';", bootstrapImport(tree, project, path));
  // What stays in package.json may be newer than the server.ts of CommonEngine.
  return /^\D*4/.test(express) ? text : text.replaceAll("'**'", "'/{*splat}'");
}
