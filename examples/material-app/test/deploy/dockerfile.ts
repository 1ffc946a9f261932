import { execFile } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { promisify } from 'node:util';
import { readIgnored } from './docker-ignore.ts';

/** What a container is started with. */
export interface Image {
  /** The folder that holds its files. */
  readonly root: string;
  readonly cwd: string;
  readonly env: Readonly<Record<string, string>>;
  readonly user: string | undefined;
  readonly command: readonly string[];
  readonly health: readonly string[];
}

interface Stage {
  readonly root: string;
  readonly from: string;
  workdir: string;
  env: Record<string, string>;
  user: string | undefined;
  command: readonly string[];
  health: readonly string[];
}

/**
 * Runs the steps of a Dockerfile without Docker: a stage is a folder, its file system that of this machine. It has
 * the instructions of our Dockerfile, in the forms that stand there, and refuses all others.
 *
 * @param context - The folder that is built.
 * @param to - Where the stages get their folders.
 * @param env - The environment of a build's commands, as of `docker build --build-arg`.
 * @param secrets - Files by their ids, as of `docker build --secret`.
 */
export async function runDockerfile(
  text: string,
  context: string,
  to: string,
  env: Readonly<Record<string, string | undefined>>,
  secrets: Readonly<Record<string, string>> = {},
): Promise<Image> {
  const isIgnored = readIgnored(readFileSync(join(context, '.dockerignore'), 'utf8'));
  const stages = new Map<string, Stage>();
  let stage: Stage | undefined;
  for (const [instruction, rest] of instructionsOf(text)) {
    if (instruction === 'FROM') {
      const [, from, name = `stage-${stages.size}`] = match(rest, /^(\S+)(?: AS (\w+))?$/);
      stage = { root: join(to, name!), from: from!, workdir: '/', env: {}, ...NO_START };
      stages.set(name!, stage);
      mkdirSync(stage.root, { recursive: true });
      continue;
    }
    if (stage === undefined) throw new Error(`${instruction} stands before FROM`);
    await runInstruction(instruction, rest, stage, stages, { context, env, secrets, isIgnored });
  }
  if (stage === undefined) throw new Error('no FROM');
  const { root, workdir, user, command, health } = stage;
  return { root, cwd: join(root, workdir), env: stage.env, user, command, health };
}

interface Build {
  readonly context: string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly secrets: Readonly<Record<string, string>>;
  readonly isIgnored: (path: string) => boolean;
}

const NO_START = { user: undefined, command: [], health: [] };

async function runInstruction(
  instruction: string,
  rest: string,
  stage: Stage,
  stages: ReadonlyMap<string, Stage>,
  { context, env, secrets, isIgnored }: Build,
): Promise<void> {
  const cwd = join(stage.root, stage.workdir);
  switch (instruction) {
    case 'WORKDIR':
      stage.workdir = resolve(stage.workdir, rest);
      mkdirSync(join(stage.root, stage.workdir), { recursive: true });
      return;
    case 'ENV':
      for (const pair of rest.split(' ')) {
        const [, name, value] = match(pair, /^(\w+)=([^"'$]*)$/);
        stage.env[name!] = value!;
      }
      return;
    case 'COPY': {
      const [, from, words] = match(rest, /^(?:--from=(\w+) )?([^-].*)$/);
      const [target, ...sources] = pathsOf(words!).toReversed();
      for (const source of sources.toReversed()) {
        const isKept =
          from === undefined ? (path: string) => !isIgnored(relative(context, path)) : () => true;
        const root = from === undefined ? context : stageOf(from, stages).root;
        copy(join(root, source), source, cwd, target!, isKept);
      }
      return;
    }
    case 'RUN':
      await runWithSecrets(rest, stage.root, secrets, async (command) => {
        if (/(^|\s)\//.test(command)) throw new Error(`RUN names an absolute path: ${command}`);
        await promisify(execFile)('sh', ['-c', command], { cwd, env: { ...env, ...stage.env } });
      });
      return;
    case 'USER':
      stage.user = rest;
      return;
    case 'EXPOSE':
      match(rest, /^\d+$/);
      return;
    case 'HEALTHCHECK':
      stage.health = list(match(rest, /^(?:--[\w-]+=\w+ )*CMD (\[.*\])$/)[1]!);
      return;
    case 'CMD':
      stage.command = list(rest);
      return;
    default:
      throw new Error(`${instruction} is unknown here`);
  }
}

/** The paths of COPY, in words or as JSON, with their escapes taken away: of variables, and of patterns in sources. */
function pathsOf(words: string): string[] {
  const paths = words.startsWith('[') ? list(words) : words.split(' ');
  return paths
    .map((path) => path.replace(/\\(.)/g, '$1'))
    .map((path, at) => (at < paths.length - 1 ? path.replace(/\[([*?[])\]/g, '$1') : path));
}

/** Secrets are there while a command runs; one that the build does not get is not there. */
async function runWithSecrets(
  text: string,
  root: string,
  secrets: Readonly<Record<string, string>>,
  run: (command: string) => Promise<void>,
): Promise<void> {
  const MOUNT = /^--mount=type=secret,id=(\w+),target=(\S+) /;
  const [mount, id, target] = MOUNT.exec(text) ?? [];
  if (mount === undefined) return run(text);
  const at = join(root, target!);
  const from = secrets[id!];
  if (from !== undefined) cpSync(from, at);
  try {
    await runWithSecrets(text.slice(mount.length), root, secrets, run);
  } finally {
    rmSync(at, { force: true });
  }
}

function copy(
  path: string,
  source: string,
  cwd: string,
  target: string,
  isKept: (path: string) => boolean,
): void {
  if (!existsSync(path)) throw new Error(`COPY: there is no ${source}`);
  const isInto = target.endsWith('/') && source !== '.';
  const to = isInto ? join(cwd, target, source) : join(cwd, target);
  mkdirSync(dirname(to), { recursive: true });
  if (!isKept(path)) throw new Error(`COPY: .dockerignore leaves ${source} out`);
  cpSync(path, to, { recursive: true, filter: isKept });
}

function stageOf(name: string, stages: ReadonlyMap<string, Stage>): Stage {
  const stage = stages.get(name);
  if (stage === undefined) throw new Error(`there is no stage ${name}`);
  return stage;
}

/** The exec form: a shell would keep signals from the program. */
function list(text: string): string[] {
  const command: unknown = JSON.parse(text);
  if (!Array.isArray(command)) throw new Error(`not in exec form: ${text}`);
  return command as string[];
}

function instructionsOf(text: string): [string, string][] {
  return text
    .replaceAll(/\\\n\s*/g, '')
    .split('\n')
    .filter((line) => line.trim() !== '' && !line.startsWith('#'))
    .map((line) => {
      const [, instruction, rest] = match(line, /^([A-Z]+) (.+)$/);
      return [instruction!, rest!];
    });
}

function match(text: string, pattern: RegExp): RegExpExecArray {
  const found = pattern.exec(text);
  if (found === null) throw new Error(`"${text}" has another form than ${pattern}`);
  return found;
}
