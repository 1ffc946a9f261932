import { createRequire } from 'node:module';

/** The range that package managers save a package with, for one whose schematics are running. */
export function installedRange(packageName: string): string {
  const manifest = createRequire(__filename)(`${packageName}/package.json`) as { version: string };
  return `^${manifest.version}`;
}
