/** What is installed with a published package, by the workspace's lock file: its dependencies, and theirs. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** An entry of a lock file. */
export interface LockEntry {
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly link?: boolean;
  readonly resolved?: string;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly name?: string;
  readonly version?: string;
  readonly lockfileVersion: 3;
  readonly requires: true;
  /** The package itself is '', others are by their folder. */
  readonly packages: Readonly<Record<string, LockEntry>>;
}

type Entries = Record<string, LockEntry>;

const FIELDS = ['name', 'version', 'license', 'integrity'] as const;

/** The lock file of an installation of the package in `folder`, without peers and development. */
export function runtimeLock(root: string, folder: string): Lock {
  const { packages } = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as Lock;
  const own = copyOf(packages[folder]!);
  const placed: Entries = { '': own };
  place(packages, folder, '', placed);
  const { name, version } = own;
  return {
    ...(name !== undefined && { name }),
    ...(version !== undefined && { version }),
    lockfileVersion: 3,
    requires: true,
    packages: placed,
  };
}

/** Puts the dependencies of the package at `from` into `placed`, at the top where it has no other version. */
function place(packages: Lock['packages'], from: string, parent: string, placed: Entries): void {
  for (const name of Object.keys(dependenciesOf(packages[from]!))) {
    const real = find(packages, from, name);
    const top = `node_modules/${name}`;
    const isOther = placed[top] !== undefined && placed[top].version !== packages[real]!.version;
    const at = isOther ? `${parent}/${top}` : top;
    if (placed[at] !== undefined) continue;
    placed[at] = copyOf(packages[real]!);
    place(packages, real, at, placed);
  }
}

function dependenciesOf({ dependencies, optionalDependencies }: LockEntry): Record<string, string> {
  return { ...dependencies, ...optionalDependencies };
}

function copyOf(entry: LockEntry): LockEntry {
  const fields = FIELDS.filter((field) => entry[field] !== undefined);
  const copy = Object.fromEntries(fields.map((field) => [field, entry[field]]));
  return { ...copy, dependencies: dependenciesOf(entry) };
}

/** The key of the package that `name` means in the package at `from`, as Node looks for it. */
function find(packages: Lock['packages'], from: string, name: string): string {
  const parts = from.split('/');
  for (let length = parts.length; length >= 0; length--) {
    const key = [...parts.slice(0, length), 'node_modules', name].join('/');
    const entry = packages[key];
    if (entry !== undefined) return entry.link === true ? entry.resolved! : key;
  }
  throw new Error(`package-lock.json has no ${name} for ${from}: npm install`);
}
