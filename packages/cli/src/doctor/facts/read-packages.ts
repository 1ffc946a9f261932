import { existsSync, readdirSync, readFileSync, realpathSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** An installed package. */
export interface InstalledPackage {
  readonly name: string;
  readonly version: string;
  /** The range of Node versions that it supports. */
  readonly node: string | undefined;
}

/** The packages that the application is built of, as they are installed. */
export interface PackageFacts {
  readonly ngSsr: readonly InstalledPackage[];
  readonly angular: readonly InstalledPackage[];
}

/** @param workspace - The folder from which Node would look for them. */
export function readPackages(workspace: string): PackageFacts {
  return { ngSsr: readScope(workspace, '@ng-ssr'), angular: readScope(workspace, '@angular') };
}

/** All packages of a scope that the workspace sees, and those that these see beside them (pnpm keeps them apart). */
function readScope(workspace: string, scope: string): readonly InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const visit = (folder: string): void => {
    for (const home of homesAbove(folder, scope)) {
      for (const name of readdirSync(home)) {
        const place = real(join(home, name));
        if (place === undefined || found.has(place)) continue;
        const installed = readPackage(place);
        if (installed === undefined) continue;
        found.set(place, installed);
        visit(place);
      }
    }
  };
  visit(workspace);
  return [...found.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1));
}

function homesAbove(path: string, scope: string): readonly string[] {
  const homes: string[] = [];
  for (let folder = path; ; folder = dirname(folder)) {
    const home = join(folder, 'node_modules', scope);
    if (existsSync(home)) homes.push(home);
    if (folder === dirname(folder)) return homes;
  }
}

function real(path: string): string | undefined {
  try {
    return realpathSync(path);
  } catch {
    return undefined;
  }
}

interface Manifest {
  readonly name?: string;
  readonly version?: string;
  readonly private?: boolean;
  readonly engines?: { readonly node?: string };
}

function readPackage(folder: string): InstalledPackage | undefined {
  try {
    const text = readFileSync(join(folder, 'package.json'), 'utf8');
    const { name, version, private: isPrivate, engines } = JSON.parse(text) as Manifest;
    if (name === undefined || version === undefined || isPrivate === true) return undefined;
    return { name, version, node: engines?.node };
  } catch {
    return undefined;
  }
}
