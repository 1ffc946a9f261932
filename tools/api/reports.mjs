/**
 * Compares the declarations of every public package, as they are built, with its reports: `api/<entry>.api.md`
 * in the package's folder. Prints the differences, and types that an API uses but no entry exports.
 *
 *     node tools/api/reports.mjs [--update] [folder of a package ...]
 */
import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
} from 'node:fs';
import { devNull, tmpdir } from 'node:os';
import { dirname, join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { CompilerState, Extractor, ExtractorConfig } from '@microsoft/api-extractor';

const root = join(import.meta.dirname, '../..');
const { values, positionals } = parseArgs({
  options: { update: { type: 'boolean', default: false } },
  allowPositionals: true,
});

const packages = (positionals.length > 0 ? positionals : publicFolders()).map(readPackage);
const drafts = mkdtempSync(join(tmpdir(), 'ng-ssr-api-'));
try {
  const differences = [...writeDrafts(), ...packages.flatMap(reportsOfNoEntry)].filter(differs);
  differences.forEach(values.update ? update : show);
  const leaks = packages.flatMap(leaksOf);
  for (const leak of leaks) console.log(leak);
  if (differences.length > 0 && !values.update) {
    console.log('The public API differs from its reports. If it should: npm run api -- --update');
  }
  process.exitCode = leaks.length > 0 || (differences.length > 0 && !values.update) ? 1 : 0;
} finally {
  rmSync(drafts, { recursive: true });
}

function publicFolders() {
  const folders = [...globSync('packages/*', { cwd: root }), 'native'].map((name) =>
    join(root, name),
  );
  return folders.toSorted().filter((folder) => readManifest(folder).private !== true);
}

function readManifest(folder) {
  return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
}

/** A package with its entries that have types. */
function readPackage(folder) {
  const { name, exports } = readManifest(folder);
  const entries = Object.entries(exports)
    .filter(([, { types }]) => types !== undefined)
    .map(([path, { types }]) => ({
      types: join(folder, types),
      report: `${path === '.' ? 'index' : path.slice(2)}.api.md`,
    }));
  return {
    folder,
    name,
    entries,
    reports: join(folder, 'api'),
    exported: new Set(),
    used: new Map(),
  };
}

/** Writes a report of each entry to a temporary folder; returns the pairs of new and present reports. */
function writeDrafts() {
  const prepared = packages.flatMap((each) =>
    each.entries.map(({ types, report }) => {
      const to = join(drafts, each.name);
      mkdirSync(to, { recursive: true });
      return { each, types, report, to, config: prepare(each.folder, types, report, to) };
    }),
  );
  const additionalEntryPoints = prepared.map(({ types }) => types);
  // One program for all: its types are the most that this costs.
  const compilerState = CompilerState.create(prepared[0].config, { additionalEntryPoints });
  return prepared.flatMap(({ each, report, to, config }) => {
    const messageCallback = (message) => {
      message.handled = true;
      const [, name] = /The symbol "(\w+)"/.exec(message.text) ?? [];
      if (message.messageId === 'ae-forgotten-export') each.used.set(name, report);
    };
    Extractor.invoke(config, { compilerState, localBuild: true, messageCallback });
    const draft = join(to, report);
    const text = readFileSync(draft, 'utf8');
    for (const [, name] of text.matchAll(/^export (?:\{|\w+(?: class)?) (\w+)/gm))
      each.exported.add(name);
    return { draft, present: join(each.reports, report) };
  });
}

/** The settings of API Extractor: a report, and messages to us alone. */
function prepare(projectFolder, mainEntryPointFilePath, reportFileName, reportFolder) {
  const none = { default: { logLevel: 'none' } };
  const compilerOptions = {
    ...{ target: 'es2023', lib: ['es2023', 'dom'], module: 'nodenext', strict: true },
    ...{ skipLibCheck: true, types: ['node'], typeRoots: [join(root, 'node_modules/@types')] },
  };
  return ExtractorConfig.prepare({
    configObject: {
      projectFolder,
      mainEntryPointFilePath,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: { compilerOptions, files: [mainEntryPointFilePath] } },
      apiReport: { enabled: true, reportFolder, reportTempFolder: drafts, reportFileName },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: {
        compilerMessageReporting: none,
        tsdocMessageReporting: none,
        extractorMessageReporting: {
          ...none,
          'ae-forgotten-export': { logLevel: 'warning', addToApiReportFile: false },
        },
      },
    },
    configObjectFullPath: undefined,
    packageJsonFullPath: join(projectFolder, 'package.json'),
  });
}

/** Reports whose entry is gone. */
function reportsOfNoEntry({ entries, reports }) {
  return globSync('*.api.md', { cwd: reports })
    .filter((report) => !entries.some((entry) => entry.report === report))
    .map((report) => ({ draft: undefined, present: join(reports, report) }));
}

function differs({ draft, present }) {
  return read(draft) !== read(present);
}

function read(file) {
  return file !== undefined && existsSync(file) ? readFileSync(file, 'utf8') : undefined;
}

function update({ draft, present }) {
  if (draft === undefined) {
    rmSync(present);
  } else {
    mkdirSync(dirname(present), { recursive: true });
    copyFileSync(draft, present);
  }
  console.log(`${draft === undefined ? 'removed' : 'updated'} ${relative(root, present)}`);
}

function show({ draft = devNull, present }) {
  const from = existsSync(present) ? present : devNull;
  const args = ['diff', '--no-index', '--no-color', '--no-ext-diff', from, draft];
  const { stdout } = spawnSync('git', args, { encoding: 'utf8' });
  console.log(`${relative(root, present)}:\n${stdout.slice(stdout.indexOf('@@'))}`);
}

/** What users cannot name: API Extractor looks at one entry, and another may export the type. */
function leaksOf({ name, exported, used }) {
  return [...used.keys()]
    .filter((type) => !exported.has(type))
    .map((type) => `${name}: the API uses ${type}, which no entry exports (${used.get(type)})`);
}
