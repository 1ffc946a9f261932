import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';

const root = join(import.meta.dirname, '../..');
const folder = join(root, '.github/workflows');

interface Step {
  readonly uses?: string;
  readonly run?: string;
  readonly with?: Readonly<Record<string, unknown>>;
}
interface Job {
  readonly uses?: string;
  readonly permissions?: Readonly<Record<string, string>>;
  readonly 'timeout-minutes'?: number;
  readonly strategy?: { readonly matrix: Readonly<Record<string, unknown>> };
  readonly steps?: readonly Step[];
}
interface Workflow {
  readonly permissions: object;
  readonly concurrency: { readonly group: string };
  readonly jobs: Readonly<Record<string, Job>>;
}
interface Manifest {
  readonly name: string;
  readonly scripts: Readonly<Record<string, string>>;
  readonly engines?: { readonly node: string };
}

const workflows = readdirSync(folder).map((name) => {
  const text = readFileSync(join(folder, name), 'utf8');
  const workflow = parse(text) as Workflow;
  const jobs = Object.entries(workflow.jobs);
  return { name, text, workflow, jobs, steps: jobs.flatMap(([, { steps = [] }]) => steps) };
});
const manifests = ['', ...globSync(['packages/*', 'native', 'bench', 'examples/*'], { cwd: root })]
  .filter((place) => existsSync(join(root, place, 'package.json')))
  .map(readManifest);

function readManifest(place: string): Manifest {
  return JSON.parse(readFileSync(join(root, place, 'package.json'), 'utf8')) as Manifest;
}

/** What jobs may do beyond reading the repository, and why. */
const MAY_WRITE: Readonly<Record<string, readonly string[]>> = {
  'codeql.yml analyze': ['security-events'],
  'release.yml publish': ['id-token'],
  'release.yml github-release': ['contents'],
  'scorecard.yml analysis': ['id-token', 'security-events'],
};

test('there are workflows for all that is promised', () => {
  expect(workflows.map(({ name }) => name).toSorted()).toEqual(
    ['bench', 'ci', 'codeql', 'prebuilds', 'release', 'scorecard'].map((name) => `${name}.yml`),
  );
});

describe.each(workflows)('$name', ({ name, text, workflow, jobs, steps }) => {
  test('every action is pinned by its commit, beside its version', () => {
    const used = [...text.matchAll(/uses: (.*)/g)].map(([, action]) => action!);
    const remote = used.filter((action) => !action.startsWith('./'));
    const pinned = /^[\w-]+(\/[\w-]+)+@[0-9a-f]{40} # v\d+\.\d+\.\d+$/;
    expect(remote.filter((action) => !pinned.test(action))).toEqual([]);
    const local = used.filter((action) => action.startsWith('./'));
    expect(local.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });

  test('jobs have no more rights than they need, and keep no credentials', () => {
    expect(workflow.permissions).toEqual({});
    for (const [job, { permissions }] of jobs) {
      const writes = Object.entries(permissions ?? { all: 'write' })
        .filter(([, right]) => right === 'write')
        .map(([what]) => what);
      expect(writes.toSorted(), job).toEqual(MAY_WRITE[`${name} ${job}`] ?? []);
    }
    const checkouts = steps.filter(({ uses }) => uses?.startsWith('actions/checkout@'));
    for (const step of checkouts) expect(step.with).toHaveProperty('persist-credentials', false);
  });

  test('jobs end, and runs of the same branch do not pile up', () => {
    expect(workflow.concurrency.group).toBeTypeOf('string');
    for (const [job, { uses, 'timeout-minutes': minutes }] of jobs) {
      if (uses === undefined) expect(minutes, job).toBeGreaterThan(0);
    }
  });

  test('scripts run programs that there are, and take no expressions as code', () => {
    const lines = steps.flatMap(({ run = '' }) => run.split('\n'));
    expect(lines.filter((line) => line.includes('${{'))).toEqual([]);
    expect(lines.flatMap(missingIn)).toEqual([]);
  });
});

/** The npm scripts and files that a line of a script names, and that do not exist. */
function missingIn(line: string): string[] {
  const [, script] =
    /\bnpm (?:run (?:--silent )?)?(test|(?<=run (?:--silent )?)[\w:]+)/.exec(line) ?? [];
  const workspace = /--workspace=(\S+)/.exec(line)?.[1] ?? 'ng-ssr-workspace';
  const manifest = manifests.find(({ name }) => name === workspace);
  const noScript = script !== undefined && manifest?.scripts[script] === undefined;
  const files = [...line.matchAll(/(?:^|\s)(?:node )?(\.ci\/\S+|(?<=node )\S+\.mjs)/g)];
  return [
    ...(noScript ? [`${workspace} ${script}`] : []),
    ...files.map(([, file]) => file!).filter((file) => !existsSync(join(root, file))),
  ];
}

test('a script or file that does not exist is found', () => {
  expect(missingIn('npm run bulid')).toEqual(['ng-ssr-workspace bulid']);
  expect(missingIn('npm run --silent relase -- --notes')).toEqual(['ng-ssr-workspace relase']);
  expect(missingIn('npm test --workspace=@ng-ssr/none')).toEqual(['@ng-ssr/none test']);
  expect(missingIn('.ci/walk')).toEqual(['.ci/walk']);
  expect(missingIn('node tools/none.mjs')).toEqual(['tools/none.mjs']);
  expect(missingIn('npm ci')).toEqual([]);
});

test('an action has one version in all workflows', () => {
  const versions = new Map<string, Set<string>>();
  for (const { text } of workflows) {
    for (const [, action, commit] of text.matchAll(/uses: ([\w-]+\/[\w-]+)\S*@(\S+)/g)) {
      versions.set(action!, (versions.get(action!) ?? new Set()).add(commit!));
    }
  }
  expect([...versions].filter(([, commits]) => commits.size > 1)).toEqual([]);
});

test('the matrix has each major version of Node that Angular supports, and packages allow all of them', () => {
  const angular = readManifest('node_modules/@angular/core').engines!.node;
  const majors = [...angular.matchAll(/(\d+)\.\d+\.\d+/g)].map(([, major]) => Number(major));
  const { node, os } = ofCi('node').strategy!.matrix;
  expect(node).toEqual(majors);
  expect(String(os)).toMatch(/ubuntu.*macos.*windows/);
  const ranges = new Set(manifests.flatMap(({ engines }) => engines?.node ?? []));
  expect([...ranges]).toEqual(['>=20.16']);
  expect(Math.min(...majors)).toBeGreaterThanOrEqual(20);
});

test('a release waits for everything that main passes, and takes every addon', () => {
  const { jobs } = workflows.find(({ name }) => name === 'release.yml')!.workflow;
  const pack = jobs['pack'] as Job & { readonly needs: readonly string[] };
  expect(jobs['publish']).toHaveProperty('needs', 'pack');
  expect(pack.needs.map((job) => jobs[job]!.uses)).toEqual([
    './.github/workflows/ci.yml',
    './.github/workflows/prebuilds.yml',
  ]);
  const download = pack.steps!.find(({ uses }) => uses?.startsWith('actions/download-artifact'));
  expect(download!.with).toMatchObject({ pattern: 'prebuild-*', path: 'native/prebuilds' });
  const uploads = workflows
    .find(({ name }) => name === 'prebuilds.yml')!
    .steps.filter(({ uses }) => uses?.startsWith('actions/upload-artifact'));
  expect(uploads.map((step) => step.with)).toEqual(
    ['prebuild-linux', 'prebuild-${{ matrix.os }}'].map((name) => ({
      name,
      path: 'native/prebuilds/',
      'if-no-files-found': 'error',
    })),
  );
  expect(ofCi('everything').steps!.map(({ run }) => run)).toContain('.ci/run');
});

test('a job that gets a token of the workflow installs nothing, and its programs import nothing installed', () => {
  const withToken = workflows
    .flatMap(({ jobs }) => jobs.map(([, job]) => job))
    .filter(({ permissions }) => permissions?.['id-token'] === 'write');
  expect(withToken).toHaveLength(2);
  for (const { steps } of withToken) {
    const caches = steps!.flatMap(({ with: given }) => given?.['cache'] ?? []);
    expect(caches).toEqual([]);
    const lines = steps!.flatMap(({ run }) => run?.trim().split('\n') ?? []);
    for (const line of lines) {
      const [, program] = /^node (\S+\.mjs) [^;&|]*$/.exec(line) ?? [];
      expect(program, line).toBeDefined();
      expect(importedBy(program!).filter((name) => !name.startsWith('node:'))).toEqual([]);
    }
  }
});

/** The modules that a program of the repository imports, those of its own files included. */
function importedBy(path: string): string[] {
  const text = readFileSync(join(root, path), 'utf8');
  const names = [...text.matchAll(/\bfrom '([^']+)'|\bimport\(?\s*'([^']+)'/g)];
  return names
    .map(([, from, alone]) => (from ?? alone)!)
    .flatMap((name) => (name.startsWith('.') ? importedBy(join(path, '..', name)) : [name]));
}

function ofCi(job: string): Job {
  return workflows.find(({ name }) => name === 'ci.yml')!.workflow.jobs[job]!;
}

test('dependencies are updated, those of Angular together', () => {
  const text = readFileSync(join(root, '.github/dependabot.yml'), 'utf8');
  const { updates } = parse(text) as {
    updates: { 'package-ecosystem': string; groups: Record<string, { patterns?: string[] }> }[];
  };
  expect(updates.map((update) => update['package-ecosystem'])).toEqual(['npm', 'github-actions']);
  expect(updates[0]!.groups['angular']!.patterns).toEqual(
    expect.arrayContaining(['@angular/*', '@angular-devkit/*', '@schematics/angular']),
  );
});
