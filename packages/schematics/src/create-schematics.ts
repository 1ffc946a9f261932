import { chain, type Rule, SchematicsException, type Tree } from '@angular-devkit/schematics';
import { NodePackageInstallTask } from '@angular-devkit/schematics/tasks';
import type { Adapter, ServerOptions } from './adapter.ts';
import { assertAngularVersion } from './angular-version.ts';
import { detectEngine, engineIn } from './engine-choice.ts';
import { frameworkIn, frameworkOf } from './framework-choice.ts';
import { Manifest } from './manifest.ts';
import { addPackages, broughtBy, packagesOf } from './package-changes.ts';
import { isNamed, removeUnused } from './package-removal.ts';
import { placeOf } from './place.ts';
import { readProject, withWorkspaceFile } from './project.ts';
import { removeServer } from './remove-server.ts';
import { Report } from './report.ts';
import { serveCommand } from './serve-command.ts';
import { readServerFile } from './server-file.ts';
import { addServerRoutes } from './server-routes.ts';
import { projectServerText } from './server-text.ts';
import {
  addBuildConfiguration,
  addToTsConfig,
  setBuildOptions,
  setCommonBuild,
  setUpSsr,
} from './set-up-ssr.ts';

/** The schematics of an adapter, for the factories that its collection.json names. */
export interface AdapterSchematics {
  /** `ng add`: makes the adapter the application's server. */
  readonly ngAdd: (options: ServerOptions) => Rule;
  /** `ng generate <package>:server`: the same, or beside a server that is there already. */
  readonly server: (options: ServerOptions) => Rule;
  /** `ng generate <package>:remove`: goes back to the server.ts that the Angular CLI writes. */
  readonly remove: (options: ServerOptions) => Rule;
}

/** Creates the schematics of one adapter. */
export function createSchematics(adapter: Adapter): AdapterSchematics {
  return {
    ngAdd: (options) => sayingWhatStays(adapter.packageName, addServer(adapter, options, false)),
    server: (options) => addServer(adapter, options, true),
    remove: (options) => removeServer(adapter, options),
  };
}

/** Checks everything first; what it then returns is a chain in which nothing is refused. */
function addServer(adapter: Adapter, options: ServerOptions, mayStandBeside: boolean): Rule {
  return async (tree, context) => {
    const project = await readProject(tree, options.project);
    const manifest = Manifest.of(tree, project.root);
    assertAngularVersion(tree, manifest);
    const present = readServerFile(tree, project);
    const framework = frameworkOf(adapter, options.framework, present.text);
    const engine = options.engine ?? detectEngine(project, present);
    const isAsAsked =
      (engineIn(present.text) ?? engine) === engine &&
      frameworkIn(adapter, present.text) === framework;
    const place = placeOf(tree, adapter, present, {
      mayStandBeside,
      overwrite: options.overwrite === true,
      isAsAsked,
      cli: project.cli,
    });

    const isFirst = project.build['server'] === undefined;
    const isCommonAlready = !isFirst && detectEngine(project, present) === 'common';
    const report = new Report(adapter, framework, project, engine, place);
    const rules: Rule[] = [];

    if (place.backup !== undefined) {
      const { backup } = place;
      rules.push((changed) => changed.rename(present.path, backup));
    }
    if (isFirst) {
      rules.push(setUpSsr(project, manifest));
      report.did('set up server-side rendering');
      report.needsInstall = true;
    }
    if (place.isBeside) {
      rules.push(addBuildConfiguration(project, adapter.name, place.path));
    } else {
      rules.push(setBuildOptions(project, engine, place.path));
      if (engine === 'common' && !isCommonAlready) rules.push(setCommonBuild(project));
    }
    rules.push(async (changed) => {
      // The build's options as they are now: Angular's own schematic may have set them up.
      const current = await readProject(changed, project.name);
      if (place.isWritten) {
        const { packageName } = adapter;
        const text = projectServerText(
          changed,
          packageName,
          framework,
          current,
          engine,
          place.path,
        );
        if (changed.exists(place.path)) changed.overwrite(place.path, text);
        else changed.create(place.path, text);
        addToTsConfig(changed, current, place.path);
        report.did(`wrote ${place.path}`);
      }
      if (engine === 'app' && (isFirst || isCommonAlready) && !place.isBeside) {
        for (const what of addServerRoutes(changed, current)) report.did(what);
      }
      if (current.build['outputMode'] !== project.build['outputMode'] && !isFirst) {
        report.did(`made "outputMode" ${current.build['outputMode'] ?? 'undefined'}`);
      }
      if (place.backup !== undefined) {
        report.did(`kept the old one as ${place.backup}, and the packages it imports`);
      }
      report.changedPackages(addPackages(changed, manifest, adapter, framework));
      if (place.isWritten && !place.isBeside && place.backup === undefined) {
        const kept = packagesOf(adapter.packageName, framework);
        const left = broughtBy(present).filter((name) => !kept.includes(name));
        report.removed(removeUnused(changed, manifest, left));
      }
      const { script, command } = serveCommand(current, manifest, engine);
      if (manifest.addScript(script, command)) report.did(`added the script ${script}`);
      report.settle(current);
    });
    rules.push(() => {
      if (report.needsInstall && options.skipInstall !== true) {
        context.addTask(new NodePackageInstallTask());
      }
      for (const line of report.lines()) context.logger.info(line);
    });
    return withWorkspaceFile(chain(rules));
  };
}

/** `ng add` installs the package before its schematic runs: a refusal says so. */
function sayingWhatStays(packageName: string, rule: Rule): Rule {
  return async (tree, context) => {
    try {
      return (await rule(tree, context)) as Rule;
    } catch (cause) {
      if (!(cause instanceof SchematicsException) || isNamed(tree, packageName)) throw cause;
      throw new SchematicsException(
        `${cause.message}\nNothing was changed; ${packageName} stays installed until "${uninstallCommand(tree)} ${packageName}".`,
      );
    }
  };
}

const UNINSTALL = {
  'pnpm-lock.yaml': 'pnpm remove',
  'yarn.lock': 'yarn remove',
  'bun.lock': 'bun remove',
};

function uninstallCommand(tree: Tree): string {
  const found = Object.entries(UNINSTALL).find(([lock]) => tree.exists(`/${lock}`));
  return found?.[1] ?? 'npm uninstall';
}
