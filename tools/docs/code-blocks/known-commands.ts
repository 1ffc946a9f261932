import { existsSync, globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ShellCommand } from './shell-commands.ts';

interface Manifest {
  readonly name: string;
  readonly private?: boolean;
  readonly scripts?: Readonly<Record<string, string>>;
}

interface Collection {
  readonly schematics: Readonly<Record<string, { readonly schema?: string }>>;
}

interface CliCommand {
  readonly name: string;
  readonly help: string;
}

/** Scripts that the Angular CLI writes into an application's package.json. */
const OF_APPLICATIONS = ['build', 'start', 'test', 'watch'];
const OF_THE_CLI = ['build', 'serve', 'new', 'test', 'update', 'version'];
/** Of npm packages that are not installed here. */
const OF_OTHERS = ['wrangler', '@angular/cli', 'pm2'];
/** Of every schematic. */
const OF_SCHEMATICS = ['dry-run', 'project', 'defaults', 'interactive', 'skip-confirmation'];
const PROGRAM = /^dist\/shop\/server\/(\w+\/)?server\.mjs$/;

/** Says what is wrong with commands of the documentation: names that nothing has. */
export class KnownCommands {
  readonly #root: string;
  readonly #manifests: readonly (Manifest & { readonly folder: string })[];
  readonly #cli: readonly CliCommand[];

  private constructor(root: string, cli: readonly CliCommand[]) {
    this.#root = root;
    this.#cli = cli;
    const files = globSync(
      ['package.json', '{packages,examples}/*/package.json', '{native,bench}/package.json'],
      {
        cwd: root,
      },
    );
    this.#manifests = files.map((file) => ({
      ...(JSON.parse(readFileSync(join(root, file), 'utf8')) as Manifest),
      folder: file.slice(0, -'/package.json'.length),
    }));
  }

  static async read(root: string): Promise<KnownCommands> {
    const files = globSync('packages/cli/src/commands/*.ts', { cwd: root });
    const modules = await Promise.all(
      files.map((file) => import(join(root, file)) as Promise<object>),
    );
    const commands = modules.flatMap((module) => Object.values(module) as Partial<CliCommand>[]);
    const isCommand = (each: Partial<CliCommand>): each is CliCommand =>
      typeof each.name === 'string' && typeof each.help === 'string';
    return new KnownCommands(root, commands.filter(isCommand));
  }

  /** Undefined for commands that are right, and for those of other programs. */
  problemOf([program, ...args]: ShellCommand): string | undefined {
    switch (program) {
      case 'npm':
        return this.#npm(args);
      case 'npx':
        return args[0] === 'ng-ssr' ? this.#ngSsr(args.slice(1)) : this.#bin(args[0]);
      case 'ng-ssr':
        return this.#ngSsr(args);
      case 'ng':
      case 'nx':
        return this.#ng(args);
      case 'node':
      case 'bun':
        return this.#program(args);
      default:
        return undefined;
    }
  }

  #npm([command, name, ...rest]: readonly string[]): string | undefined {
    if (command === 'install' || command === 'uninstall') return this.#packages([name, ...rest]);
    const at = rest.indexOf('-w');
    const workspace = at === -1 ? undefined : rest[at + 1];
    const owners = this.#manifests.filter(
      ({ name: of, folder }) => workspace === undefined || workspace === of || workspace === folder,
    );
    if (owners.length === 0) return `there is no workspace ${workspace}`;
    const script = command === 'run' ? name! : command!;
    const isKnown = owners.some(({ scripts }) => scripts?.[script] !== undefined);
    const isOther =
      ['ci', 'update', 'pkg', 'prune'].includes(script) || OF_APPLICATIONS.includes(script);
    return isKnown || isOther ? undefined : `there is no script ${script}`;
  }

  #packages(names: readonly (string | undefined)[]): string | undefined {
    const own = names.filter((name) => name?.startsWith('@ng-ssr/'));
    const unknown = own.filter((name) => this.#published(name!) === undefined);
    return unknown.length === 0 ? undefined : `there is no package ${unknown.join(', ')}`;
  }

  #published(name: string): string | undefined {
    return this.#manifests.find((each) => each.name === name && each.private !== true)?.folder;
  }

  #bin(name: string | undefined): string | undefined {
    const isThere = existsSync(join(this.#root, 'node_modules/.bin', String(name)));
    return isThere || OF_OTHERS.includes(String(name)) ? undefined : `there is no command ${name}`;
  }

  #ngSsr([name, ...args]: readonly string[]): string | undefined {
    if (name?.startsWith('-')) return undefined;
    const command = this.#cli.find((each) => each.name === name);
    if (command === undefined) return `ng-ssr has no command ${name}`;
    const unknown = args.filter(
      (arg) => arg.startsWith('--') && !command.help.includes(arg.split('=')[0]!),
    );
    return unknown.length === 0 ? undefined : `ng-ssr ${name} has no ${unknown.join(', ')}`;
  }

  #ng([command, name = '', ...args]: readonly string[]): string | undefined {
    if (OF_THE_CLI.includes(command!)) return undefined;
    if (command === 'add') return this.#schematic(name, 'ng-add', args);
    const [collection = '', schematic = ''] = name.split(':');
    if (command === 'generate') return this.#schematic(collection, schematic, args);
    return `there is no command ${command}`;
  }

  #schematic(name: string, schematic: string, args: readonly string[]): string | undefined {
    const folder = this.#published(name);
    if (folder === undefined) return `there is no package ${name}`;
    const schematics = join(this.#root, folder, 'dist/schematics');
    const { schematics: all } = JSON.parse(
      readFileSync(join(schematics, 'collection.json'), 'utf8'),
    ) as Collection;
    if (all[schematic] === undefined) return `${name} has no schematic ${schematic}`;
    const { schema } = all[schematic];
    const text = schema === undefined ? '{}' : readFileSync(join(schematics, schema), 'utf8');
    const { properties = {} } = JSON.parse(text) as { readonly properties?: object };
    const known = [...Object.keys(properties), ...OF_SCHEMATICS];
    const given = args.flatMap((arg) => /^--(?:no-)?([\w-]+)/.exec(arg)?.[1] ?? []);
    const unknown = given.filter(
      (option) => !known.includes(option) && !known.includes(camel(option)),
    );
    return unknown.length === 0
      ? undefined
      : `${name}:${schematic} has no option ${unknown.join(', ')}`;
  }

  #program(args: readonly string[]): string | undefined {
    const file = args.find((arg) => !arg.startsWith('-'));
    if (file === undefined || PROGRAM.test(file) || existsSync(join(this.#root, file)))
      return undefined;
    const targets = globSync('packages/schematics/src/deploy/targets/*.ts', { cwd: this.#root });
    const isGenerated = targets.some((path) =>
      readFileSync(join(this.#root, path), 'utf8').includes(`'${file}'`),
    );
    return isGenerated ? undefined : `there is no program ${file}`;
  }
}

function camel(name: string): string {
  return name.replaceAll(/-(\w)/g, (_all, letter: string) => letter.toUpperCase());
}
