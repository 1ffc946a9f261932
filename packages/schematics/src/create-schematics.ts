import {
  chain,
  type Rule,
  type SchematicContext,
  SchematicsException,
  type Tree,
} from '@angular-devkit/schematics';
import { NodePackageInstallTask } from '@angular-devkit/schematics/tasks';
import type { Adapter, ServerOptions } from './adapter.ts';
import { checkAngularVersion, isInstallMissing } from './angular-version.ts';
import { commandOf, commandWith } from './commands.ts';
import { deploy, type DeployOptions } from './deploy/deploy.ts';
import { detectEngine, engineIn } from './engine-choice.ts';
import type { removeMiddleware } from './express/middleware-removal.ts';
import { frameworkIn, frameworkOf } from './framework-choice.ts';
import { assertNoHashLocation } from './hash-location.ts';
import { Manifest } from './manifest.ts';
import { addPackages, broughtBy, packagesOf } from './package-changes.ts';
import { installLine, packageCommands } from './package-manager.ts';
import { isNamed, removeUnused } from './package-removal.ts';
import { addPackScript, packCommand } from './pack-script.ts';
import { type PlaceCommands, placeOf } from './place.ts';
import { type Project, readProject, withWorkspaceFile } from './project.ts';
import { removeServer } from './remove-server.ts';
import { forTerminal } from './refusal.ts';
import { Report } from './report.ts';
import { serveCommand } from './serve-command.ts';
import { readServerFile } from './server-file.ts';
import { addServerRoutes, completeServerRoutes, prerenderingRoutes } from './server-routes.ts';
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
  /** `ng generate <package>:server`: the same, or beside an existing server. */
  readonly server: (options: ServerOptions) => Rule;
  /** `ng generate <package>:remove`: restores the server.ts that the Angular CLI writes. */
  readonly remove: (options: ServerOptions) => Rule;
  /** `ng generate <package>:deploy`: writes the files of a deployment. */
  readonly deploy: (options: DeployOptions) => Rule;
}

/**
 * Creates the schematics of one adapter.
 *
 * @param undo - Only for Express: the other packages do not contain its file.
 */
export function createSchematics(
  adapter: Adapter,
  undo?: typeof removeMiddleware,
): AdapterSchematics {
  return {
    ngAdd: (options) => sayingWhatStays(adapter.packageName, addServer(adapter, options, false)),
    server: (options) => addServer(adapter, options, true),
    remove: (options) => removeServer(adapter, options, undo),
    deploy: (options) => deploy(adapter, options),
  };
}

/** Checks everything first; the returned chain refuses nothing. */
function addServer(adapter: Adapter, options: ServerOptions, mayStandBeside: boolean): Rule {
  return async (tree, context) => {
    const project = await readProject(tree, context, options);
    const manifest = Manifest.of(tree, project.root);
    const versionNotes = checkAngularVersion(tree, manifest, adapter.packageName);
    assertNoHashLocation(tree, project);
    const present = readServerFile(tree, project);
    const framework = frameworkOf(adapter, options.framework, present.text, (name) =>
      commandWith(context, project.cli, { ...options, framework: name }),
    );
    const engine = options.engine ?? detectEngine(project, present);
    const isAsAsked =
      (engineIn(present.text) ?? engine) === engine &&
      frameworkIn(adapter, present.text) === framework;
    const place = placeOf(tree, adapter, present, {
      mayStandBeside,
      overwrite: options.overwrite === true,
      isAsAsked,
      commands: commandsFor(tree, context, adapter, project, options),
    });

    const isFirst = project.build['server'] === undefined;
    const isCommonAlready = !isFirst && detectEngine(project, present) === 'common';
    const report = new Report(adapter, framework, project, engine, place);
    const rules: Rule[] = [];
    for (const note of versionNotes) report.notes(note);

    if (place.backup !== undefined) {
      const { backup } = place;
      rules.push((changed) => changed.rename(present.path, backup));
    }
    if (isFirst) {
      report.did('set up server-side rendering');
      rules.push(setUpSsr(project, manifest, (what) => report.did(what)));
      report.needsInstall = true;
    }
    if (place.isBeside) {
      rules.push(addBuildConfiguration(project, adapter.name, place.path));
    } else {
      rules.push(setBuildOptions(project, engine, place.path));
      if (engine === 'common' && !isCommonAlready) rules.push(setCommonBuild(project));
    }
    rules.push(async (changed) => {
      // Reads the build's options again: Angular's own schematic may have changed them.
      const current = await readProject(changed, context, { ...options, project: project.name });
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
      const isNewToEngine = isFirst || isCommonAlready;
      if (engine === 'app' && !place.isBeside && (isNewToEngine || place.isWritten)) {
        const setRoutes = isNewToEngine ? addServerRoutes : completeServerRoutes;
        for (const what of setRoutes(changed, current)) report.did(what);
        const routes = prerenderingRoutes(changed, current);
        // Angular's error names getPrerenderParams alone, which fits few pages with parameters.
        if (routes !== undefined) {
          report.notes(
            `A route with a parameter that you add later needs its own entry in ${routes}, such as { path: 'products/:id', renderMode: RenderMode.Server }; the build fails without it.`,
          );
        }
      }
      if (current.build['outputMode'] !== project.build['outputMode'] && !isFirst) {
        report.did(`set "outputMode" to ${current.build['outputMode'] ?? 'undefined'}`);
      }
      if (place.backup !== undefined) {
        report.did(`kept the old server as ${place.backup}`);
      }
      report.changedPackages(addPackages(changed, manifest, adapter, framework));
      if (place.isWritten && !place.isBeside) {
        const kept = packagesOf(adapter.packageName, framework);
        const left = broughtBy(present).filter((name) => !kept.includes(name));
        report.removed(removeUnused(changed, manifest, left));
      }
      const { script, command, superseded } = serveCommand(current, manifest, engine);
      const how = manifest.setScript(script, command, place.isBeside ? undefined : superseded);
      if (how !== undefined) report.did(`${how} the script ${script}`);
      const pack = place.isBeside ? undefined : packCommand(current, manifest);
      if (pack !== undefined) report.packs(pack, addPackScript(manifest, current, pack));
      report.settle(current);
    });
    rules.push((changed) => {
      const needsInstall = report.needsInstall || isInstallMissing(changed, manifest);
      const { skipInstall } = options;
      if (needsInstall && skipInstall !== true) context.addTask(new NodePackageInstallTask());
      const install = needsInstall ? installLine(changed, skipInstall) : undefined;
      for (const line of report.lines(install, skipInstall === true)) context.logger.info(line);
    });
    return withWorkspaceFile(chain(rules));
  };
}

function commandsFor(
  tree: Tree,
  context: SchematicContext,
  { packageName }: Adapter,
  { name, cli, isOneOfSeveral }: Project,
  options: ServerOptions,
): PlaceCommands {
  const named = isOneOfSeveral ? { project: name } : {};
  const asked = options.framework === undefined ? {} : { framework: options.framework };
  return {
    overwrite: commandWith(context, cli, { ...options, overwrite: true }),
    beside: commandOf(cli, packageName, 'server', { ...named, ...asked }),
    middleware: `${packageCommands(tree).add} @ng-ssr/express && ${commandOf(cli, '@ng-ssr/express', 'middleware', named)}`,
  };
}

/** `ng add` installs the package before its schematic runs: a refusal mentions it. */
function sayingWhatStays(packageName: string, rule: Rule): Rule {
  return async (tree, context) => {
    try {
      return (await rule(tree, context)) as Rule;
    } catch (cause) {
      if (!(cause instanceof SchematicsException) || isNamed(tree, packageName)) throw cause;
      throw forTerminal(
        `${cause.message}\nNothing else was changed; ${packageName} stays installed and in package.json: "${packageCommands(tree).remove} ${packageName}" removes it.`,
      );
    }
  };
}
