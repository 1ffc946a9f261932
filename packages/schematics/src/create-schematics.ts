import { chain, type Rule } from '@angular-devkit/schematics';
import { NodePackageInstallTask } from '@angular-devkit/schematics/tasks';
import type { Adapter, Framework, ServerOptions } from './adapter.ts';
import { assertAngularVersion } from './angular-version.ts';
import { detectEngine } from './engine-choice.ts';
import { removeUnusedExpress } from './express-removal.ts';
import { Manifest } from './manifest.ts';
import { placeOf } from './place.ts';
import { readProject, withWorkspaceFile } from './project.ts';
import { refuse } from './refusal.ts';
import { Report } from './report.ts';
import { serveCommand } from './serve-command.ts';
import { readServerFile } from './server-file.ts';
import {
  addBuildConfiguration,
  addToTsConfig,
  setBuildOptions,
  setCommonBuild,
  setUpSsr,
} from './set-up-ssr.ts';
import { toServerFile } from './write-server-file.ts';

/** The schematics of an adapter, for the factories that its collection.json names. */
export interface AdapterSchematics {
  /** `ng add`: makes the adapter the application's server. */
  readonly ngAdd: (options: ServerOptions) => Rule;
  /** `ng generate <package>:server`: the same, or beside a server that is there already. */
  readonly server: (options: ServerOptions) => Rule;
}

/** Creates the schematics of one adapter. */
export function createSchematics(adapter: Adapter): AdapterSchematics {
  return {
    ngAdd: (options) => addServer(adapter, options, false),
    server: (options) => addServer(adapter, options, true),
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
    const place = placeOf(tree, adapter, present, { mayStandBeside, ...options });

    const isFirst = project.build['server'] === undefined;
    const hadExpress = manifest.has('express');
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
        const text = toServerFile(changed, packageName, framework, current, engine, place.path);
        if (changed.exists(place.path)) changed.overwrite(place.path, text);
        else changed.create(place.path, text);
        addToTsConfig(changed, current, place.path);
        report.did(`wrote ${place.path}`);
      }
      if (current.build['outputMode'] !== project.build['outputMode'] && !isFirst) {
        report.did(`made "outputMode" ${current.build['outputMode'] ?? 'undefined'}`);
      }
      if (place.backup !== undefined) {
        report.did(`kept the old one as ${place.backup}, and the packages it imports`);
      }
      const wanted = Object.entries(framework.dependencies);
      const types = Object.entries(framework.devDependencies);
      const own = new Manifest(changed, '/package.json').rangeOf(adapter.packageName);
      const added = [
        ...(own === undefined ? [] : [[adapter.packageName, own] as const]),
        ...wanted,
      ].filter(([name, range]) => manifest.addDependency(name, range));
      const addedTypes = types.filter(([name, range]) =>
        manifest.addDependency(name, range, 'devDependencies'),
      );
      report.added([...added, ...addedTypes].map(([name]) => name));
      if (present.origin === 'stock' && hadExpress && !('express' in framework.dependencies)) {
        report.removed(removeUnusedExpress(changed, manifest));
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

function frameworkOf(
  { packageName, frameworks }: Adapter,
  asked: string | undefined,
  text: string,
): Framework {
  const names = Object.keys(frameworks);
  const used = names.find((name) => text.includes(`${packageName}/${name}`));
  const chosen = asked ?? used ?? (names.length === 1 ? names[0] : undefined);
  if (chosen !== undefined && Object.hasOwn(frameworks, chosen)) return frameworks[chosen]!;
  throw refuse(
    'NG_SSR_OPTION_INVALID',
    `${packageName} needs --framework, one of ${names.join(', ')}${chosen === undefined ? '' : `; it was "${chosen}"`}.`,
  );
}
