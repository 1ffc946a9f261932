import { cpSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { run } from '../e2e/child-process.mjs';
import { readManifest } from '../e2e/pack.mjs';
import { childEnv, programOf, QUIET } from '../e2e/workspace.mjs';
import { root } from '../environment.mjs';

const SOURCES = join(import.meta.dirname, 'gallery');
const SCAFFOLDS = join(root, 'packages/schematics/src/scaffolds');
/** For a machine that has other work. */
const LIMIT_MS = 600_000;

/** What a locale and Express 5 need in the server that the Angular CLI has written for CommonEngine. */
const COMMON_CHANGES = { [`'../browser'`]: `'../../browser/de'`, [`'**'`]: `'{*path}'` };

/**
 * Creates the gallery on one version of Angular, and installs its packages.
 *
 * @param packages - As of `packagesOf`.
 * @param npmrc - The line that makes npm ask our registry for our scope.
 * @param isForced - Whether to install although peers have other ranges: prereleases are in none.
 */
export async function createGallery(workspace, { packages, npmrc, isForced }) {
  mkdirSync(workspace, { recursive: true });
  cpSync(SOURCES, workspace, { recursive: true });
  writeScaffolds(join(workspace, 'src'));
  writeJson(join(workspace, 'angular.json'), angularJson());
  const { version } = readManifest(join(root, 'packages/express'));
  writeJson(join(workspace, 'package.json'), {
    private: true,
    type: 'module',
    dependencies: { ...packages, '@ng-ssr/express': version },
    overrides: readManifest(root).overrides,
  });
  writeFileSync(join(workspace, '.npmrc'), `${QUIET}${npmrc}\n`);
  const args = ['install', ...(isForced ? ['--legacy-peer-deps'] : [])];
  await run('npm', args, { cwd: workspace, env: childEnv, limitMs: LIMIT_MS });
}

/**
 * Builds the gallery for an engine, with zone.js or without.
 *
 * @returns The folder of the build.
 */
export async function buildGallery(workspace, { engine, zone }) {
  const folder = `dist/${engine}-${zone}`;
  const args = ['build', '--configuration', `${engine},${zone}`, '--output-path', folder];
  const inputs = { cwd: workspace, env: childEnv, limitMs: LIMIT_MS };
  await run(programOf(workspace, 'ng'), args, inputs);
  return join(workspace, folder);
}

/** Angular's own servers. */
function writeScaffolds(folder) {
  const read = (name) => readFileSync(join(SCAFFOLDS, name), 'utf8');
  writeFileSync(join(folder, 'scaffold.app.ts'), read('21.txt'));
  let common = read('19-common-engine.txt');
  for (const [from, to] of Object.entries(COMMON_CHANGES)) {
    if (!common.includes(from)) throw new Error(`19-common-engine.txt has no ${from}`);
    common = common.replaceAll(from, to);
  }
  writeFileSync(join(folder, 'scaffold.common.ts'), common);
}

function angularJson() {
  const build = {
    builder: '@angular/build:application',
    options: {
      index: 'src/index.html',
      browser: 'src/main.ts',
      server: 'src/main.server.ts',
      tsConfig: 'tsconfig.json',
      inlineStyleLanguage: 'scss',
      assets: [{ glob: '**/*', input: 'public' }],
      styles: ['src/styles.scss', { input: 'src/print.css', bundleName: 'print' }],
      outputHashing: 'all',
      i18nMissingTranslation: 'ignore',
    },
    configurations: {
      app: { localize: true, outputMode: 'server', ssr: { entry: 'src/server.app.ts' } },
      common: { localize: ['de'], ssr: { entry: 'src/server.common.ts' } },
      zoneless: { polyfills: ['@angular/localize/init'] },
      'zone.js': {
        polyfills: ['zone.js', '@angular/localize/init'],
        fileReplacements: ['main', 'main.server'].map((name) => ({
          replace: `src/${name}.ts`,
          with: `src/${name}.zone.ts`,
        })),
      },
    },
  };
  const i18n = { sourceLocale: 'en', locales: { de: 'src/locale/messages.de.xlf' } };
  const gallery = { projectType: 'application', root: '', i18n, architect: { build } };
  return { version: 1, projects: { gallery } };
}

function writeJson(path, value) {
  writeFileSync(path, `${JSON.stringify(value, null, 2)}\n`);
}
