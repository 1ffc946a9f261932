import type { Rule } from '@angular-devkit/schematics';
import { join } from 'node:path/posix';
import type { Adapter } from '../adapter.ts';
import { type Cli, cliOf } from '../cli.ts';
import { commandOf } from '../commands.ts';
import { detectEngine } from '../engine-choice.ts';
import { Manifest } from '../manifest.ts';
import { type Project, readProject, withWorkspaceFile } from '../project.ts';
import { refuse } from '../refusal.ts';
import { readServerFile, type ServerFile } from '../server-file.ts';
import type { DeployTarget } from './deployment.ts';
import { addProbes, DEFAULT_PROBES, PROBES_LINE } from './probes-edit.ts';
import { readDeployment } from './read-deployment.ts';
import { NO_PATHS, readServerSettings, type ServerSettings } from './server-settings.ts';
import { deployTargets } from './targets.ts';

/** The command-line options of `ng generate <package>:deploy`. */
export interface DeployOptions {
  /** Missing where no terminal can ask for it: the schema does not require it, since its error lists no targets. */
  readonly target?: string;
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
    const chosen = targetOf(adapter, cliOf(tree), target);
    const named = asked === undefined ? {} : { project: asked };
    const project = await readProject(tree, context, named);
    const manifest = Manifest.of(tree, project.root);
    const present = readServerFile(tree, project);
    assertServer(adapter, project, present);
    const engine = detectEngine(project, present);
    const settings = readServerSettings(present.text);
    const needsProbes = chosen.hasProbes === true && settings.probes === 'none';
    const edited = needsProbes ? addProbes(present.text) : undefined;
    const added = edited === undefined ? NO_PATHS : DEFAULT_PROBES;
    const probes = settings.probes === 'none' ? added : settings.probes;
    const deployment = readDeployment(tree, adapter, project, manifest, engine, {
      ...settings,
      probes,
    });
    const written = Object.entries(chosen.files(deployment));

    const files = written
      .map(([path, text]): [string, string] => [join('/', path), text])
      .filter(([path, text]) => !tree.exists(path) || tree.readText(path) !== text);
    const taken = files.filter(([path]) => tree.exists(path)).map(([path]) => path.slice(1));
    if (taken.length > 0 && !overwrite) {
      const { cli } = project;
      const { packageName } = adapter;
      const again = commandOf(cli, packageName, `deploy ${target}`, { ...named, overwrite: true });
      const are = taken.length === 1 ? 'exists already and' : 'exist already and';
      throw refuse(
        'NG_SSR_FILE_EXISTS',
        `${taken.join(', ')} ${are} differ${taken.length === 1 ? 's' : ''}: ${again} replaces ${taken.length === 1 ? 'it' : 'them'}.`,
      );
    }
    const say = (line: string): void => context.logger.info(line);
    for (const [path, text] of files) {
      if (tree.exists(path)) tree.overwrite(path, text);
      else tree.create(path, text);
    }
    if (edited !== undefined) tree.overwrite(present.path, edited);

    const done = [
      ...files.map(([path]) => `wrote ${path.slice(1)}`),
      ...(edited === undefined ? [] : [`added the option probes to ${present.path}`]),
    ];
    const subject = `${adapter.packageName}: "${project.name}" on ${chosen.title}`;
    const isDone = done.length === 0;
    say(
      `${subject}: ${isDone ? 'the files exist already; nothing was changed' : done.join('; ')}.`,
    );
    if (needsProbes && edited === undefined) {
      say(`  Add to the options of the server in ${present.path}: ${PROBES_LINE.slice(0, -1)}`);
      say(
        '  Then run this with --overwrite: until then the files only check that the port accepts connections.',
      );
    }
    const hasPort = written.some(([, text]) => text.includes(String(settings.port)));
    for (const notice of noticesOf(chosen, hasPort, settings, present)) say(`  ${notice}`);
    if (settings.tokens.length > 0) say(`  ${noticeOfTokens(settings.tokens)}`);
    if (isDone) return;
    for (const step of chosen.steps(deployment)) say(`  ${step}`);
  });
}

function noticeOfTokens(names: readonly string[]): string {
  const them = names.length === 1 ? 'it' : 'them';
  return `Set ${names.join(', ')} where the server runs: it does not start without ${them}. Create a token with: openssl rand -hex 32`;
}

function targetOf({ packageName }: Adapter, cli: Cli, name: string | undefined): DeployTarget {
  if (name !== undefined && Object.hasOwn(deployTargets, name)) return deployTargets[name]!;
  const allowed = Object.keys(deployTargets);
  throw refuse(
    'NG_SSR_OPTION_INVALID',
    name === undefined
      ? `deploy needs a target, one of ${allowed.join(', ')}, as in ${commandOf(cli, packageName, `deploy ${allowed[0]!}`, {})}.`
      : `target is "${name}"; allowed: ${allowed.join(', ')}`,
  );
}

function assertServer({ packageName }: Adapter, { cli }: Project, present: ServerFile): void {
  if (present.adapterPackage === packageName) return;
  throw refuse('NG_SSR_SERVER_MISSING', `${present.path} is not a server of ${packageName}.`, [
    `Run ${commandOf(cli, packageName, 'ng-add', {})} first.`,
  ]);
}

/** What the files could not take from server.ts. */
function noticesOf(
  { hasProbes = false }: DeployTarget,
  hasPort: boolean,
  { computed, port }: ServerSettings,
  { path }: ServerFile,
): string[] {
  return computed.flatMap((name) => {
    if (name === 'port') {
      const says = `The port in ${path} is computed, so the files have ${port}. Change it there if the server listens on another port.`;
      return hasPort ? [says] : [];
    }
    const check = `checks that the port accepts connections. Write the paths of probes as strings, or set them in the files.`;
    return hasProbes
      ? [`The option ${name} in ${path} is computed, so its probe only ${check}`]
      : [];
  });
}
