/**
 * How nx release reads and writes the versions of this workspace: in each package.json, with exact
 * versions of the workspace's packages in every section, in code, and in the lock file.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import nxRelease from 'nx/release/index.js';

const SECTIONS = ['dependencies', 'devDependencies', 'peerDependencies', 'optionalDependencies'];
/** Where a package has its version in code. */
const CONSTANT = 'src/version.ts';

export default class ManifestVersions extends nxRelease.VersionActions {
  validManifestFilenames = ['package.json'];

  get #path() {
    return `${this.projectGraphNode.data.root}/package.json`;
  }

  async readCurrentVersionFromSourceManifest(tree) {
    return { currentVersion: readJson(tree, this.#path).version, manifestPath: this.#path };
  }

  async readCurrentVersionFromRegistry() {
    throw new Error('Versions come from package.json: set currentVersionResolver to "disk".');
  }

  async readCurrentVersionOfDependency(tree, projectGraph, name) {
    const dependency = nameOf(tree, projectGraph, name);
    const manifest = readJson(tree, this.#path);
    const section = SECTIONS.find((each) => manifest[each]?.[dependency] !== undefined);
    return {
      currentVersion: manifest[section]?.[dependency] ?? null,
      dependencyCollection: section ?? null,
    };
  }

  async updateProjectVersion(tree, version) {
    writeJson(tree, this.#path, { ...readJson(tree, this.#path), version });
    const constant = `${this.projectGraphNode.data.root}/${CONSTANT}`;
    if (!tree.exists(constant)) return [`${this.#path}: version ${version}`];
    const text = tree.read(constant, 'utf-8');
    tree.write(constant, text.replace(/(VERSION = ')[^']*/, `$1${version}`));
    return [`${this.#path}, ${constant}: version ${version}`];
  }

  async updateProjectDependencies(tree, projectGraph, versions) {
    const manifest = readJson(tree, this.#path);
    const changed = [];
    for (const [project, version] of Object.entries(versions)) {
      const name = nameOf(tree, projectGraph, project);
      for (const section of SECTIONS.filter((each) => manifest[each]?.[name] !== undefined)) {
        manifest[section][name] = version;
        changed.push(`${this.#path}: ${section} ${name} ${version}`);
      }
    }
    if (changed.length > 0) writeJson(tree, this.#path, manifest);
    return changed;
  }
}

/** Gives the lock file what it repeats of the manifests: their versions and their dependencies. */
export async function afterAllProjectsVersioned(cwd, { dryRun = false }) {
  const path = join(cwd, 'package-lock.json');
  const lock = JSON.parse(readFileSync(path, 'utf8'));
  for (const [folder, entry] of Object.entries(lock.packages)) {
    if (folder === '' || folder.includes('node_modules/')) continue;
    const manifest = JSON.parse(readFileSync(join(cwd, folder, 'package.json'), 'utf8'));
    for (const field of ['version', ...SECTIONS]) {
      if (entry[field] !== undefined) entry[field] = manifest[field];
    }
  }
  if (!dryRun) writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`);
  return { changedFiles: [path], deletedFiles: [] };
}

function nameOf(tree, projectGraph, project) {
  return readJson(tree, `${projectGraph.nodes[project].data.root}/package.json`).name;
}

function readJson(tree, path) {
  return JSON.parse(tree.read(path, 'utf-8'));
}

function writeJson(tree, path, value) {
  tree.write(path, `${JSON.stringify(value, null, 2)}\n`);
}
