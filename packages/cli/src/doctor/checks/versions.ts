import type { Check } from '../check.ts';
import type { InstalledPackage } from '../facts/read-packages.ts';
import type { Finding } from '../finding.ts';
import { supports } from '../node-range.ts';

/** Angular's own packages that are released together and must be equal. */
const FRAMEWORK = [
  ...['animations', 'common', 'compiler', 'compiler-cli', 'core', 'forms', 'localize'],
  ...['platform-browser', 'platform-server', 'router', 'service-worker'],
].map((name) => `@angular/${name}`);
/** Those of Angular's command line, of the same major version. */
const TOOLS = ['@angular/ssr', '@angular/build', '@angular/cli'];

/** What renders, and what has made its build. */
const PAIR = ['@angular/ssr', '@angular/build'];
const UPDATE_ANGULAR = 'npx ng update @angular/core @angular/cli';

/** Versions of packages and of Node, and what ng-ssr needs of them. */
export const checkVersions: Check = ({ server, machine, packages }) => {
  const findings: Finding[] = [];
  const { ngSsr, angular } = packages;
  if (new Set(ngSsr.map(({ version }) => version)).size > 1) {
    findings.push({
      id: 'versions-ng-ssr',
      severity: 'error',
      found: `The packages of ng-ssr have different versions: ${list(ngSsr)}.`,
      why: 'They share internals, and are tested only with the same version.',
      fix: `npm install ${names(ngSsr)}`,
    });
  }
  const framework = angular.filter(({ name }) => FRAMEWORK.includes(name));
  const core = framework.find(({ name }) => name === '@angular/core');
  const tools = angular.filter(({ name }) => TOOLS.includes(name));
  const isOtherMajor = tools.some(({ version }) => majorOf(version) !== majorOf(core?.version));
  if (new Set(framework.map(({ version }) => version)).size > 1 || (core && isOtherMajor)) {
    findings.push({
      id: 'versions-angular',
      severity: 'error',
      found: `The packages of Angular do not match: ${list([...framework, ...tools])}.`,
      why: "Angular's packages use each other's internals, and fail with unclear errors.",
      fix: UPDATE_ANGULAR,
    });
  } else {
    // Package managers mix them: each accepts all minor versions of the other.
    const pair = tools.filter(({ name }) => PAIR.includes(name));
    if (new Set(pair.map(({ version }) => minorOf(version))).size > 1) {
      findings.push({
        id: 'versions-angular',
        severity: 'warning',
        found: `These have different minor versions: ${list(pair)}.`,
        why: 'One reads files that the other writes. With 22.1 and 22.2, pages lose their critical CSS.',
        fix: UPDATE_ANGULAR,
      });
    }
  }
  const demanding = [...ngSsr, ...angular].find(
    ({ node }) => node !== undefined && !supports(node, machine.nodeVersion),
  );
  if (demanding !== undefined) {
    const { name, node } = demanding;
    findings.push({
      id: 'node-version',
      severity: 'error',
      found: `This is Node ${machine.nodeVersion}; ${name} supports ${node}.`,
      why: 'It is tested only with these versions. Others may lack APIs that it needs.',
      fix: 'nvm install --lts, and the same version in the image: FROM node:24-slim',
    });
  }
  const notices = [...(server?.description?.notices ?? []), ...(server?.printed ?? [])];
  const addon = notices.find(({ code }) => code === 'NG_SSR_ADDON_UNAVAILABLE');
  if (addon !== undefined) {
    findings.push({
      id: 'addon-missing',
      severity: 'note',
      found: addon.message.split(', so ', 1)[0]!,
      why: 'WebAssembly computes the ETags, some microseconds slower for each page.',
      fix: addon.message.includes(' has no addon for ')
        ? 'NG_SSR_ETAG=js, to choose WebAssembly'
        : 'npm install in the image, for its platform and Node; or NG_SSR_ETAG=js to choose WebAssembly',
    });
  }
  const changed = notices.filter(({ code }) => code === 'NG_SSR_ANGULAR_CHANGED');
  for (const message of new Set(changed.map((notice) => notice.message))) {
    findings.push({
      id: 'angular-changed',
      severity: 'error',
      found: message,
      why: 'ng-ssr uses private members of Angular, and this version changed them.',
      fix: `npm install ${names(ngSsr)}`,
    });
  }
  const untested = notices.find(({ code }) => code === 'NG_SSR_ANGULAR_UNTESTED');
  if (untested !== undefined) {
    findings.push({
      id: 'angular-untested',
      severity: 'note',
      found: untested.message,
      why: 'ng-ssr uses private members of Angular, which a newer version may change.',
      fix: 'npx ng-ssr doctor --compare',
    });
  }
  return findings;
};

function majorOf(version: string | undefined): string | undefined {
  return version?.split('.', 1)[0];
}

function minorOf(version: string): string {
  return version.split('.', 2).join('.');
}

function list(packages: readonly InstalledPackage[]): string {
  return packages.map(({ name, version }) => `${name} ${version}`).join(', ');
}

function names(packages: readonly InstalledPackage[]): string {
  return [...new Set(packages.map(({ name }) => `${name}@latest`))].join(' ');
}
