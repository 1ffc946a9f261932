import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readlinkSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, dirname, join } from 'node:path';

const root = join(import.meta.dirname, '../../..');
const OWN = '@ng-ssr';

export interface Ended {
  readonly status: number | null;
  readonly output: string;
}

/** A repository of the present files in a temporary folder, on main, with an origin that has the same commit. */
export class WorkingCopy {
  readonly folder: string = join(mkdtempSync(join(tmpdir(), 'ng-ssr-release-test-')), 'ng-ssr');

  constructor() {
    const listed = ['ls-files', '-z', '--cached', '--others', '--exclude-standard'];
    const { stdout } = spawnSync('git', listed, {
      cwd: root,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
    });
    for (const path of stdout.split('\0').filter((each) => each !== '')) {
      if (existsSync(join(root, path))) this.#copy(path);
    }
    this.#copy('native/src/xxh3-binary.js');
    this.#linkModules();
    this.git('init', '--quiet', '--initial-branch=main');
    this.commit();
    this.git('clone', '--quiet', '--bare', '.', '../origin');
    this.git('remote', 'add', 'origin', '../origin');
    this.git('fetch', '--quiet', 'origin');
  }

  get #environment(): NodeJS.ProcessEnv {
    const PATH = join(this.folder, 'node_modules/.bin') + delimiter + process.env['PATH'];
    return { ...process.env, NO_COLOR: '1', FORCE_COLOR: undefined, PATH };
  }

  /** Runs a program in the copy, with the programs of node_modules. */
  run(program: string, args: readonly string[]): Ended {
    const { status, stdout, stderr } = spawnSync(program, args, {
      cwd: this.folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 26,
      env: this.#environment,
    });
    return { status, output: `${stdout}${stderr}` };
  }

  release(args: readonly string[] = []): Ended {
    return this.run(process.execPath, ['tools/release/release.mjs', ...args]);
  }

  /** Runs a program of tools/release beside this process, which may answer it. */
  async runBesides(
    program: string,
    args: readonly string[],
    environment: NodeJS.ProcessEnv,
  ): Promise<Ended> {
    const child = spawn(process.execPath, [`tools/release/${program}`, ...args], {
      cwd: this.folder,
      env: { ...this.#environment, ...environment },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => (output += text));
    }
    const [status] = (await once(child, 'close')) as [number | null];
    return { status, output };
  }

  git(...args: string[]): string {
    const { status, output } = this.run('git', args);
    if (status !== 0) throw new Error(`git ${args.join(' ')}: ${output}`);
    return output;
  }

  commit(): void {
    this.git('add', '--all');
    const author = ['-c', 'user.name=Test', '-c', 'user.email=test@localhost'];
    this.git(...author, 'commit', '--quiet', '--allow-empty', '--no-gpg-sign', '-m', 'Test');
  }

  #copy(path: string): void {
    mkdirSync(dirname(join(this.folder, path)), { recursive: true });
    cpSync(join(root, path), join(this.folder, path));
  }

  /** Packages of others are those of the repository, the workspace's own those of the copy. */
  #linkModules(): void {
    const [from, to] = [join(root, 'node_modules'), join(this.folder, 'node_modules')];
    mkdirSync(join(to, OWN), { recursive: true });
    for (const name of readdirSync(from).filter((each) => each !== OWN)) {
      symlinkSync(join(from, name), join(to, name));
    }
    for (const name of readdirSync(join(from, OWN))) {
      symlinkSync(readlinkSync(join(from, OWN, name)), join(to, OWN, name));
    }
    for (const workspace of [
      'bench',
      'native',
      ...foldersOf('packages'),
      ...foldersOf('examples'),
    ]) {
      const nested = join(workspace, 'node_modules');
      if (existsSync(join(root, nested))) {
        symlinkSync(join(root, nested), join(this.folder, nested));
      }
    }
  }
}

function foldersOf(parent: string): string[] {
  return readdirSync(join(root, parent)).map((name) => join(parent, name));
}
