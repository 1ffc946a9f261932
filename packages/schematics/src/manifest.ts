import type { Tree } from '@angular-devkit/schematics';
import { JSONFile } from '@schematics/angular/utility/json-file';
import { dirname, join } from 'node:path/posix';

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];

/** A package.json, changed without touching what stands beside the change. */
export class Manifest {
  readonly #tree: Tree;
  readonly path: string;

  constructor(tree: Tree, path: string) {
    this.#tree = tree;
    this.path = path;
  }

  /**
   * The package.json that the application's dependencies are in: its own in a monorepo where it has
   * one with Angular in it, else the workspace's.
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

  /** The range that a package is wanted in, whichever section names it. */
  rangeOf(name: string): string | undefined {
    const json = this.#json();
    for (const section of SECTIONS) {
      const range = json.get([section, name]);
      if (typeof range === 'string') return range;
    }
    return undefined;
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
   * Makes a package one that is installed in production, too: `nx add` saves what it installs for
   * development alone.
   *
   * @returns What was done, if anything.
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

  /** @returns Whether it was there. */
  removeDependency(name: string): boolean {
    const json = this.#json();
    const section = SECTIONS.find((candidate) => json.get([candidate, name]) !== undefined);
    if (section !== undefined) json.remove([section, name]);
    return section !== undefined;
  }

  /** @returns Whether it was missing. */
  addScript(name: string, command: string): boolean {
    if (this.script(name) !== undefined) return false;
    this.#json().modify(['scripts', name], command, false);
    return true;
  }

  #json(): JSONFile {
    return new JSONFile(this.#tree, this.path);
  }
}
