import type { Tree } from '@angular-devkit/schematics';
import { cliOf } from './cli.ts';
import { Manifest } from './manifest.ts';
import { packageCommands } from './package-manager.ts';
import { refuse } from './refusal.ts';

/**
 * The first and the last version of each minor of Angular with which ng-ssr is tested. The list of
 * packages/engines/src/tested-angulars.ts, which tools/test/angular-versions.spec.ts compares with this one.
 */
export const TESTED_ANGULARS: readonly (readonly [first: string, last: string])[] = [
  ['21.2.9', '21.2.24'],
  ['22.0.0', '22.0.8'],
  ['22.1.0', '22.1.8'],
  ['22.2.0', '22.2.0'],
];

const OLDEST = TESTED_ANGULARS[0]![0];
const NEWEST_MAJOR = Number.parseInt(TESTED_ANGULARS.at(-1)![0]);
/** Also the range of the packages' peers. */
export const SUPPORTED = `>=${OLDEST} <${NEWEST_MAJOR + 1}.0.0`;

/** Packages with the builder; the second contains the first in a version of its own. */
const BUILDERS = ['@angular/build', '@angular-devkit/build-angular'];
/**
 * Packages whose version matters: package managers mix the patches and minors of the framework and of the tools. An
 * older builder does not know options that Angular's schematics write into angular.json.
 */
const PACKAGES = ['@angular/core', '@angular/ssr', ...BUILDERS];

/**
 * Refuses an Angular that the engines do not support. The installed version counts, else the range
 * in package.json; where neither shows it (a catalog, a tag), the package manager's own check remains.
 *
 * @param packageName - The package of ng-ssr whose schematic this is.
 * @returns lines about versions that are supported, and not tested or not of one minor version.
 */
export function checkAngularVersion(tree: Tree, manifest: Manifest, packageName: string): string[] {
  // Nx has its own commands; an @angular/cli beside them runs nothing.
  const tools = cliOf(tree) === 'ng' ? ['@angular/cli'] : [];
  for (const name of [...PACKAGES, ...tools]) assertSupported(tree, manifest, name, packageName);
  return [untestedNote(tree, manifest), minorsNote(tree, manifest)].filter(
    (note) => note !== undefined,
  );
}

function untestedNote(tree: Tree, manifest: Manifest): string | undefined {
  const installed = installedVersion(tree, manifest, '@angular/core');
  if (installed === undefined || isTested(installed)) return undefined;
  const tested = TESTED_ANGULARS.map((row) => [...new Set(row)].join(' to ')).join(', ');
  return `Angular ${installed} is not tested with this version of ng-ssr (tested: ${tested}): compare your pages with "npx ng-ssr doctor --compare" after a build.`;
}

/** The engine reads what the builder writes: from 22.1 to 22.2 pages lose their critical CSS without an error. */
function minorsNote(tree: Tree, manifest: Manifest): string | undefined {
  const ssr = installedVersion(tree, manifest, '@angular/ssr');
  const builder = installedBuilder(tree, manifest);
  if (ssr === undefined || builder === undefined) return undefined;
  if (minorOf(ssr) === minorOf(builder.version)) return undefined;
  const command = updateCommand(tree, numbersOf(ssr)[0]!);
  return `@angular/ssr ${ssr} and ${builder.name} ${builder.version} are of different minor versions, so pages may lose their critical CSS: run "${command}".`;
}

/** A package of the builder, and its version. */
export interface Builder {
  readonly name: string;
  readonly version: string;
  readonly range: string;
  /** The package.json with this range. */
  readonly manifest: Manifest;
}

/** The builder that package.json names, where it is installed. */
export function installedBuilder(tree: Tree, manifest: Manifest): Builder | undefined {
  for (const owner of [manifest, new Manifest(tree, '/package.json')]) {
    for (const name of BUILDERS) {
      const range = owner.rangeOf(name);
      const version = installedVersion(tree, manifest, name);
      if (range !== undefined && version !== undefined) {
        return { name, version, range, manifest: owner };
      }
    }
  }
  return undefined;
}

function assertSupported(tree: Tree, manifest: Manifest, name: string, packageName: string): void {
  const version = installedVersion(tree, manifest, name) ?? manifest.rangeOf(name);
  const newest = version === undefined ? undefined : newestOf(version);
  if (newest === undefined) return;
  const [major] = newest;
  if (compare(newest, numbersOf(OLDEST)) >= 0 && major! <= NEWEST_MAJOR) return;
  const what = name === '@angular/core' ? 'Angular' : name;
  throw refuse(
    'NG_SSR_ANGULAR_UNSUPPORTED',
    `This workspace has ${what} ${version}; supported: ${SUPPORTED}. ` +
      (major! > NEWEST_MAJOR
        ? 'Newer versions have not been tested with this version of ng-ssr: update ng-ssr.'
        : // npm installs a second Angular below a package whose peers do not fit, and keeps it.
          `Run "${packageCommands(tree).remove} ${packageName}", "${updateCommand(tree, nextMajor(tree, manifest, major!))}", and this command again.`),
  );
}

/** The major version of a supported @angular/core; else one major at a time, as both CLIs take them. */
function nextMajor(tree: Tree, manifest: Manifest, major: number): number {
  const core =
    installedVersion(tree, manifest, '@angular/core') ?? manifest.rangeOf('@angular/core');
  const [coreMajor = 0] = newestOf(core ?? '') ?? [];
  return Math.max(coreMajor, Math.min(major + 1, Number.parseInt(OLDEST)));
}

/** Both CLIs go to the newest version of a major. */
function updateCommand(tree: Tree, major: number): string {
  return cliOf(tree) === 'nx'
    ? `nx migrate @angular/core@${major}`
    : `ng update @angular/core@${major} @angular/cli@${major}`;
}

/** Whether an earlier installation has failed: package.json names Angular's packages for SSR, and they are not there. */
export function isInstallMissing(tree: Tree, manifest: Manifest): boolean {
  const isMissing = (name: string): boolean => installedVersion(tree, manifest, name) === undefined;
  return (
    !isMissing('@angular/core') &&
    ['@angular/ssr', '@angular/platform-server'].some(
      (name) => manifest.has(name) && isMissing(name),
    )
  );
}

function installedVersion(tree: Tree, { folder }: Manifest, name: string): string | undefined {
  for (const base of new Set([folder, '/'])) {
    const file = tree.read(`${base}/node_modules/${name}/package.json`);
    if (file !== null) return (JSON.parse(file.toString()) as { version: string }).version;
  }
  return undefined;
}

/** A version, or a range of versions with the same first numbers. An alias names another package in front. */
const SIMPLE =
  /^(?:npm:.+@|workspace:)?\s*([\^~=]?)\s*v?(\d+(?:\.\d+)*)(?:\.[x*])*(?:[-+][\w.+-]+)?$/i;

/**
 * The newest version that may be installed for a range; undefined where the range does not say: without an upper limit,
 * and for what is no range (a tag, a catalog, a file, a URL).
 */
function newestOf(range: string): readonly number[] | undefined {
  const newest = range.split('||').map((part) => newestOfPart(part.trim()));
  return newest.reduce((one, other) => one && other && (compare(one, other) < 0 ? other : one));
}

function newestOfPart(part: string): readonly number[] | undefined {
  const [, sign = '', numbers] = SIMPLE.exec(part) ?? [];
  if (numbers === undefined) return undefined;
  const kept = { '^': 1, '~': 2 }[sign] ?? 3;
  const given = numbersOf(numbers).slice(0, kept);
  return [...given, Infinity, Infinity].slice(0, 3);
}

/** Prereleases are not tested. */
function isTested(version: string): boolean {
  const numbers = numbersOf(version);
  return (
    !version.includes('-') &&
    TESTED_ANGULARS.some(([first, last]) => {
      const [from, to] = [numbersOf(first), numbersOf(last)];
      return from[1] === numbers[1] && compare(from, numbers) <= 0 && compare(numbers, to) <= 0;
    })
  );
}

function compare(one: readonly number[], other: readonly number[]): number {
  const at = one.findIndex((number, i) => number !== other[i]);
  return at < 0 ? 0 : one[at]! - other[at]!;
}

function minorOf(version: string): string {
  return numbersOf(version).slice(0, 2).join('.');
}

function numbersOf(version: string): number[] {
  return version.split('-', 1)[0]!.split('.').map(Number);
}
