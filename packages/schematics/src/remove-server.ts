import type { Rule, Tree } from '@angular-devkit/schematics';
import { NodePackageInstallTask } from '@angular-devkit/schematics/tasks';
import { latestVersions } from '@schematics/angular/utility/latest-versions';
import type { Adapter, ServerOptions } from './adapter.ts';
import { detectEngine } from './engine-choice.ts';
import type { EngineName } from './engine-name.ts';
import type { removeMiddleware } from './express/middleware-removal.ts';
import { Manifest } from './manifest.ts';
import { broughtBy } from './package-changes.ts';
import { installLine } from './package-manager.ts';
import { removeUnused } from './package-removal.ts';
import { removePackScript } from './pack-script.ts';
import { freeName } from './place.ts';
import { type Project, readProject } from './project.ts';
import { refuse } from './refusal.ts';
import { newestScaffold } from './scaffold.ts';
import { readServerFile } from './server-file.ts';
import { bootstrapImport, browserFolderOf, LOCAL_HOSTS } from './server-text.ts';

/** Express for Angular's server.ts: that of CommonEngine has paths which Express 5 does not accept. */
const EXPRESS: Record<EngineName, Readonly<Record<'express' | '@types/express', string>>> = {
  app: { express: latestVersions['express']!, '@types/express': latestVersions['@types/express']! },
  common: { express: '^4.21.0', '@types/express': '^4.17.21' },
};

const HOSTS_OF_COMMON_ENGINE =
  '  Set NG_ALLOWED_HOSTS=your.host: CommonEngine renders only for the hosts in it.';

/**
 * `ng generate <package>:remove`: restores the server.ts that the Angular CLI writes.
 *
 * @param undo - Removes the pages from a server with other code, where the adapter's package can.
 */
export function removeServer(
  { packageName }: Adapter,
  options: ServerOptions,
  undo?: typeof removeMiddleware,
): Rule {
  return async (tree, context) => {
    const { overwrite, skipInstall } = options;
    const project = await readProject(tree, context, options);
    const manifest = Manifest.of(tree, project.root);
    const present = readServerFile(tree, project);
    const { path, adapterPackage, isUntouched } = present;
    if (adapterPackage !== packageName) {
      context.logger.info(`${path} is not a server of ${packageName}; nothing was changed.`);
      return;
    }
    if (!isUntouched && overwrite !== true) {
      const engine = detectEngine(project, present);
      const express = manifest.rangeOf('express') ?? EXPRESS[engine].express;
      const scaffold = toScaffold(tree, project, engine, path, express);
      const undone = undo?.(present.text, scaffold, LOCAL_HOSTS);
      if (undone !== undefined) {
        tree.overwrite(path, undone);
        const removed = removeUnused(tree, manifest, [packageName]);
        const script = removePackScript(manifest);
        if (removed.length > 0 && skipInstall !== true) {
          context.addTask(new NodePackageInstallTask());
        }
        for (const line of linesOfRemoval(packageName, path, removed, engine, script)) {
          context.logger.info(line);
        }
        if (removed.length > 0) context.logger.info(installLine(tree, skipInstall));
        return;
      }
      throw refuse(
        'NG_SSR_SERVER_FILE_CHANGED',
        `You have changed ${path}: --overwrite replaces it with Angular's server.ts and keeps a backup.`,
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
    const script = removePackScript(manifest);
    const changes = [
      ...(added.length === 0 ? [] : [`added ${added.join(', ')}`]),
      ...(removed.length === 0 ? [] : [`removed ${removed.join(', ')}, which nothing else used`]),
    ];
    if (changes.length > 0 && skipInstall !== true) context.addTask(new NodePackageInstallTask());
    const kept = backup === undefined ? [] : [`kept the old server as ${backup}`];
    context.logger.info(`${packageName}: "${project.name}" has the server of the Angular CLI.`);
    const done = [`wrote ${path}`, ...kept, ...changes, ...doneOf(script)];
    context.logger.info(`  Changed: ${done.join('; ')}.`);
    for (const line of leftOf(script)) context.logger.info(line);
    if (engine === 'common') {
      context.logger.info(HOSTS_OF_COMMON_ENGINE);
    }
    if (changes.length > 0) context.logger.info(installLine(tree, skipInstall));
  };
}

type ScriptChange = ReturnType<typeof removePackScript>;

function doneOf(script: ScriptChange): string[] {
  return script !== undefined && 'done' in script ? [script.done] : [];
}

function leftOf(script: ScriptChange): string[] {
  return script !== undefined && 'left' in script ? [script.left] : [];
}

function linesOfRemoval(
  packageName: string,
  path: string,
  removed: readonly string[],
  engine: EngineName,
  script: ScriptChange,
): string[] {
  const done = [`put Angular's handlers into ${path}`];
  if (removed.length > 0) done.push(`removed ${removed.join(', ')}`);
  return [
    `${packageName}: removed ssrMiddleware() from ${path}.`,
    `  Changed: ${[...done, ...doneOf(script)].join('; ')}.`,
    ...leftOf(script),
    ...(engine === 'common' ? [HOSTS_OF_COMMON_ENGINE] : []),
  ];
}

function toScaffold(
  tree: Tree,
  project: Project,
  engine: EngineName,
  path: string,
  express: string,
): string {
  const isExpress4 = /^\D*4/.test(express);
  const text = newestScaffold(engine, isExpress4)
    .replace('../browser', `../${browserFolderOf(project) ?? 'browser'}`)
    .replace("import bootstrap from './main.server';", bootstrapImport(tree, project, path));
  // The version in package.json may be newer than CommonEngine's server.ts supports.
  return isExpress4 ? text : text.replaceAll("'**'", "'/{*splat}'");
}
