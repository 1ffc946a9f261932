import { readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { listFiles } from '../doctor/facts/list-files.ts';
import type { BuildFacts } from '../doctor/facts/read-build.ts';

const MANIFEST = 'angular-app-manifest.mjs';

/** The routes of a build. */
export interface Routes {
  /** Paths that can be asked for. */
  readonly paths: readonly string[];
  /** Routes with parameters, whose paths are not known. */
  readonly withParameters: readonly string[];
}

interface ManifestRoute {
  readonly route?: unknown;
  readonly redirectTo?: unknown;
}

/** Finds the routes that the Angular CLI has written beside the server, and the pages that it has prerendered. */
export async function findRoutes({ place, prerendered }: BuildFacts): Promise<Routes> {
  const paths = new Set<string>(readPrerendered(join(place.outputPath, 'prerendered-routes.json')));
  for (const { path } of prerendered) {
    if (basename(path) === 'index.html') paths.add(dirname(path));
  }
  const withParameters = new Set<string>();
  for (const route of await readManifests(dirname(place.server))) {
    if (route.includes('*') || route.includes(':')) withParameters.add(route);
    else paths.add(route);
  }
  return { paths: [...paths].sort(), withParameters: [...withParameters].sort() };
}

function readPrerendered(file: string): readonly string[] {
  try {
    const { routes } = JSON.parse(readFileSync(file, 'utf8')) as { routes?: object };
    return Object.keys(routes ?? {});
  } catch {
    // The build of another version, or one without such pages.
    return [];
  }
}

/** Each locale of a build has a manifest in a folder of its own. */
async function readManifests(serverFolder: string): Promise<readonly string[]> {
  const names = listFiles(serverFolder).map(({ path }) => path);
  const found: string[] = [];
  for (const name of names.filter((each) => basename(each) === MANIFEST)) {
    const { default: manifest } = (await import(pathToFileURL(join(serverFolder, name)).href)) as {
      readonly default?: { readonly routes?: readonly ManifestRoute[] };
    };
    for (const { route, redirectTo } of manifest?.routes ?? []) {
      if (typeof route === 'string' && redirectTo === undefined) found.push(route);
    }
  }
  return found;
}
