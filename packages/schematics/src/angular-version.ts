import type { Tree } from '@angular-devkit/schematics';
import { cliOf } from './cli.ts';
import type { Manifest } from './manifest.ts';
import { refuse } from './refusal.ts';

const OLDEST = 21;
const NEWEST = 22;

/**
 * Refuses an Angular that the engines do not support. The installed version counts, else the range
 * in package.json; where neither shows it (a catalog, a tag), the package manager's own check remains.
 */
export function assertAngularVersion(tree: Tree, manifest: Manifest): void {
  const version = installedVersion(tree, manifest) ?? manifest.rangeOf('@angular/core');
  const major = Number(/^\D*(\d+)/.exec(version ?? '')?.[1] ?? Number.NaN);
  if (Number.isNaN(major) || (major >= OLDEST && major <= NEWEST)) return;
  throw refuse(
    'NG_SSR_ANGULAR_UNSUPPORTED',
    `This workspace has Angular ${version}; supported: ${OLDEST} and ${NEWEST}, ` +
      (major < OLDEST
        ? `because the engines pass each render to main.server.ts in a BootstrapContext, which Angular has since ${OLDEST}. Run ${cliOf(tree) === 'nx' ? 'nx migrate' : 'ng update'} @angular/core@${OLDEST} first.`
        : `because newer versions have not been tested with this version of ng-ssr: update ng-ssr.`),
  );
}

function installedVersion(tree: Tree, { folder }: Manifest): string | undefined {
  for (const base of new Set([folder, '/'])) {
    const file = tree.read(`${base}/node_modules/@angular/core/package.json`);
    if (file !== null) return (JSON.parse(file.toString()) as { version: string }).version;
  }
  return undefined;
}
