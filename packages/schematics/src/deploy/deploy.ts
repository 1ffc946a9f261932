import type { Rule } from '@angular-devkit/schematics';
import { join } from 'node:path/posix';
import type { Adapter } from '../adapter.ts';
import { commandOf } from '../commands.ts';
import { detectEngine } from '../engine-choice.ts';
import { Manifest } from '../manifest.ts';
import { type Project, readProject, withWorkspaceFile } from '../project.ts';
import { refuse } from '../refusal.ts';
import { readServerFile, type ServerFile } from '../server-file.ts';
import type { DeployTarget } from './deployment.ts';
import { addProbes, hasProbes, PROBES_LINE } from './probes-edit.ts';
import { readDeployment } from './read-deployment.ts';
import { deployTargets } from './targets.ts';

/** The command-line options of `ng generate <package>:deploy`. */
export interface DeployOptions {
  readonly target: string;
  readonly project?: string;
  /** Replaces files that are there. The CLI's own `--force` is unknown to a schematic. */
  readonly overwrite?: boolean;
}

/**
 * `ng generate <package>:deploy <target>`: writes the files with which an application is deployed. It checks
 * everything first: where it refuses, it has written nothing.
 */
export function deploy(adapter: Adapter, options: DeployOptions): Rule {
  const { target, project: asked, overwrite = false } = options;
  return withWorkspaceFile(async (tree, context) => {
    const chosen = targetOf(target);
    const named = asked === undefined ? {} : { project: asked };
    const project = await readProject(tree, context, named);
    const manifest = Manifest.of(tree, project.root);
    const present = readServerFile(tree, project);
    assertServer(adapter, project, present);
    const engine = detectEngine(project, present);
    const deployment = readDeployment(tree, adapter, project, manifest, engine, present.text);

    const files = Object.entries(chosen.files(deployment))
      .map(([path, text]): [string, string] => [join('/', path), text])
      .filter(([path, text]) => !tree.exists(path) || tree.readText(path) !== text);
    const taken = files.filter(([path]) => tree.exists(path)).map(([path]) => path.slice(1));
    if (taken.length > 0 && !overwrite) {
      const { cli } = project;
      const { packageName } = adapter;
      const again = commandOf(cli, packageName, `deploy ${target}`, { ...named, overwrite: true });
      const are = taken.length === 1 ? 'is there already, and' : 'are there already, and';
      throw refuse(
        'NG_SSR_FILE_EXISTS',
        `${taken.join(', ')} ${are} differ${taken.length === 1 ? 's' : ''}: ${again} replaces what is there.`,
      );
    }
    const edited = needsProbes(chosen, present) ? addProbes(present.text) : undefined;
    const say = (line: string): void => context.logger.info(line);
    for (const [path, text] of files) {
      if (tree.exists(path)) tree.overwrite(path, text);
      else tree.create(path, text);
    }
    if (edited !== undefined) tree.overwrite(present.path, edited);

    const done = [
      ...files.map(([path]) => `wrote ${path.slice(1)}`),
      ...(edited === undefined ? [] : [`gave ${present.path} the option probes`]),
    ];
    const subject = `${adapter.packageName}: "${project.name}" on ${chosen.title}`;
    if (done.length === 0) return say(`${subject}: the files are there; nothing was changed.`);
    say(`${subject}: ${done.join('; ')}.`);
    if (needsProbes(chosen, present) && edited === undefined) {
      say(`  Give the server in ${present.path} the option ${PROBES_LINE.slice(0, -1)}`);
    }
    for (const step of chosen.steps(deployment)) say(`  ${step}`);
  });
}

function targetOf(name: string): DeployTarget {
  if (Object.hasOwn(deployTargets, name)) return deployTargets[name]!;
  const allowed = Object.keys(deployTargets).join(', ');
  throw refuse('NG_SSR_OPTION_INVALID', `target is "${name}"; allowed: ${allowed}`);
}

function assertServer({ packageName }: Adapter, { cli }: Project, present: ServerFile): void {
  if (present.adapterPackage === packageName) return;
  throw refuse('NG_SSR_SERVER_MISSING', `${present.path} is not a server of ${packageName}.`, [
    `Run ${commandOf(cli, packageName, 'ng-add', {})} first.`,
  ]);
}

function needsProbes({ hasProbes: asks }: DeployTarget, { text }: ServerFile): boolean {
  return asks === true && !hasProbes(text);
}
