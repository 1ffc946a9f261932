import type { Tree } from '@angular-devkit/schematics';
import type { Adapter, Framework } from './adapter.ts';
import { adapters } from './adapters.ts';
import { frameworkIn } from './framework-choice.ts';
import { installedRange } from './installed-range.ts';
import { Manifest } from './manifest.ts';
import type { ServerFile } from './server-file.ts';

/**
 * Adds the adapter and its framework to package.json, as production dependencies.
 *
 * @returns The changes, a phrase each.
 */
export function addPackages(
  tree: Tree,
  manifest: Manifest,
  { packageName }: Adapter,
  { dependencies, devDependencies }: Framework,
): string[] {
  const own =
    new Manifest(tree, '/package.json').rangeOf(packageName) ?? installedRange(packageName);
  const done = { added: [] as string[], moved: [] as string[] };
  for (const [name, range] of [[packageName, own] as const, ...Object.entries(dependencies)]) {
    const how = manifest.addRuntimeDependency(name, range);
    if (how !== undefined) done[how].push(name);
  }
  for (const [name, range] of Object.entries(devDependencies)) {
    if (manifest.addDependency(name, range, 'devDependencies')) done.added.push(name);
  }
  return [
    ...(done.added.length === 0 ? [] : [`added ${done.added.join(', ')}`]),
    ...(done.moved.length === 0 ? [] : [`moved ${done.moved.join(', ')} to dependencies`]),
  ];
}

/** The packages that `ng add` adds for a framework, without their types. */
export function packagesOf(packageName: string, { dependencies }: Framework): string[] {
  return [packageName, ...Object.keys(dependencies)];
}

/** The packages of the earlier server. */
export function broughtBy({ origin, adapterPackage, text }: ServerFile): string[] {
  if (origin === 'stock' || origin === 'own') return ['express'];
  const adapter = adapters.find(({ packageName }) => packageName === adapterPackage);
  const framework = adapter && frameworkIn(adapter, text);
  return adapter === undefined || framework === undefined
    ? []
    : packagesOf(adapter.packageName, framework);
}
