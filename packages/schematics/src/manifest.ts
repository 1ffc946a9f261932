import type { Tree } from '@angular-devkit/schematics';
import { JSONFile } from '@schematics/angular/utility/json-file';
import { dirname, join } from 'node:path/posix';

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** A package.json whose other text stays unchanged by edits. */
export class Manifest {
  readonly #tree: Tree;
  readonly path: string;

  constructor(tree: Tree, path: string) {
    this.#tree = tree;
    this.path = path;
  }

  /**
   * The package.json with the application's dependencies: its own, in a monorepo where it has one that
   * contains Angular, else the workspace's.
   */
  static of(tree: Tree, projectRoot: string): Manifest {
    for (let folder = join('/', projectRoot); folder !== '/'; folder = dirname(folder)) {
      const manifest = new Manifest(tree, join(folder, 'package.json'));
      if (tree.exists(manifest.path) && manifest.has('@angular/core')) return manifest;
    }
    return new Manifest(tree, '/package.json');
  }

  get folder(): string {
    return dirname(this.path);
  }

  has(name: string): boolean {
    return this.rangeOf(name) !== undefined;
  }

  /** The range of a package, in any section. */
  rangeOf(name: string): string | undefined {
    const json = this.#json();
    for (const section of SECTIONS) {
      const range = json.get([section, name]);
      if (typeof range === 'string') return range;
    }
    return undefined;
  }

  hasWorkspaces(): boolean {
    return this.#json().get(['workspaces']) !== undefined;
  }

  script(name: string): string | undefined {
    return this.#json().get(['scripts', name]) as string | undefined;
  }

  /** @returns Whether it was missing. */
  addDependency(name: string, range: string, section = 'dependencies'): boolean {
    if (this.has(name)) return false;
    this.#json().modify([section, name], range);
    return true;
  }

  /**
   * Moves a package to those that are installed in production, too: `nx add` saves the packages that it
   * installs as development dependencies.
   *
   * @returns The change, if any.
   */
  addRuntimeDependency(name: string, range: string): 'added' | 'moved' | undefined {
    if (this.addDependency(name, range)) return 'added';
    const json = this.#json();
    const saved = json.get(['devDependencies', name]);
    const others = SECTIONS.filter((section) => section !== 'devDependencies');
    if (typeof saved !== 'string' || others.some((section) => json.get([section, name]))) {
      return undefined;
    }
    json.remove(['devDependencies', name]);
    json.modify(['dependencies', name], saved);
    return 'moved';
  }

  /** Changes the range of a package, in its section. */
  setRange(name: string, range: string): void {
    const json = this.#json();
    const section = SECTIONS.find((candidate) => json.get([candidate, name]) !== undefined);
    if (section !== undefined) json.modify([section, name], range);
  }

  /** @returns Whether it was present. */
  removeDependency(name: string): boolean {
    const json = this.#json();
    const section = SECTIONS.find((candidate) => json.get([candidate, name]) !== undefined);
    if (section !== undefined) json.remove([section, name]);
    return section !== undefined;
  }

  /**
   * Adds a script, or replaces one that it supersedes.
   *
   * @returns How the script was added; undefined where it is unchanged, or the user's.
   */
  setScript(
    name: string,
    command: string,
    superseded: RegExp | undefined,
  ): 'added' | 'changed' | undefined {
    const present = this.script(name);
    if (present === command) return undefined;
    if (present !== undefined && superseded?.test(present) !== true) return undefined;
    this.#json().modify(['scripts', name], command, false);
    return present === undefined ? 'added' : 'changed';
  }

  removeScript(name: string): void {
    this.#json().remove(['scripts', name]);
  }

  #json(): JSONFile {
    return new JSONFile(this.#tree, this.path);
  }
}
