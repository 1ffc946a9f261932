import { join } from 'node:path';
import { projectNames } from './project-names.ts';
import type { Fault } from './read-faults.ts';
import { runProgram } from './run-program.ts';
import { runSpecs, type SpecsPlace, type SpecsRun } from './run-specs.ts';
import { git } from './scratch.ts';

/** What became of a planted fault. */
export interface Result {
  readonly name: string;
  readonly outcome: 'detected' | 'hung' | 'missed' | 'invalid' | 'unsteady' | 'not run';
  /** The spec and the test that have failed. */
  readonly spec?: string | undefined;
  readonly test?: string | undefined;
  /** Why there is none. */
  readonly reason?: string | undefined;
  readonly seconds: number;
}

const COMPILE_LIMIT_MS = 5 * 60_000;

/** How much is run for a fault. */
export interface TryOptions {
  /** The spec that has detected it before. */
  readonly spec: string | undefined;
  readonly hasE2e: boolean;
  /** Whether all but the most likely specs are left out. */
  readonly isLikelyOnly: boolean;
}

/** Plants a fault and runs what CI would run, the most likely specs first. */
export async function tryFault(
  fault: Fault,
  place: SpecsPlace,
  { spec, hasE2e, isLikelyOnly }: TryOptions,
): Promise<Result> {
  const sinceMs = performance.now();
  const toResult = (result: Omit<Result, 'name' | 'seconds'>): Result => {
    const seconds = Math.round((performance.now() - sinceMs) / 100) / 10;
    return { name: fault.name, ...result, seconds };
  };
  if (fault.e2e !== undefined && !hasE2e) {
    return toResult({ outcome: 'not run', reason: 'only --e2e detects it' });
  }
  const { scratch } = place;
  const known = projectNames(scratch);
  const unknown = fault.projects.find((project) => !known.includes(project));
  if (unknown !== undefined) {
    return toResult({ outcome: 'invalid', reason: `there is no project ${unknown} in vitest` });
  }
  try {
    git(scratch, ['apply', fault.patch]);
  } catch (error) {
    return toResult({ outcome: 'invalid', reason: `does not apply: ${firstLine(error)}` });
  }
  try {
    if (!(await compile(place))) {
      return toResult({ outcome: 'invalid', reason: `does not compile: see ${place.log}` });
    }
    return toResult(await look(fault, place, spec, isLikelyOnly));
  } finally {
    // The next fault is compiled together with what this one has left.
    git(scratch, ['checkout', '--quiet', '--', '.']);
    git(scratch, ['clean', '--quiet', '--force', '-d']);
  }
}

/** Compiles the packages; the parts that are written in other ways follow where they change. */
export async function compile({ scratch, log }: SpecsPlace): Promise<boolean> {
  const bin = join(scratch, 'node_modules', '.bin');
  const env = { ...process.env, PATH: `${bin}:${process.env['PATH']}` };
  const options = { cwd: scratch, env, log, limitMs: COMPILE_LIMIT_MS };
  const compiled = await runProgram('sh', ['-c', 'tsc -b packages/*/tsconfig.json'], options);
  return compiled === 0;
}

async function look(
  fault: Fault,
  place: SpecsPlace,
  spec: string | undefined,
  isLikelyOnly: boolean,
): Promise<Omit<Result, 'name' | 'seconds'>> {
  if (fault.e2e !== undefined) return lookWithE2e(fault.e2e, place);
  let hasBroken = false;
  const runs = runsOf(fault, spec);
  for (const { options, isQuick } of isLikelyOnly ? runs.slice(0, 1) : runs) {
    const run = await runSpecs(place, options, { isQuick });
    const found = toFinding(run);
    // What fails once may have failed because the machine was busy.
    if (found !== undefined && (await failsAgain(found, place))) return found;
    hasBroken ||= run.isBroken;
  }
  if (hasBroken) return { outcome: 'missed', reason: `vitest has failed: ${place.log}` };
  return { outcome: 'missed', reason: isLikelyOnly ? 'by the likely specs' : undefined };
}

/** Whether the spec that has failed fails once more, alone. */
async function failsAgain({ spec }: Pick<Result, 'spec'>, place: SpecsPlace): Promise<boolean> {
  if (spec?.endsWith('.spec.ts') !== true) return true;
  const { failed, isHung } = await runSpecs(place, [spec], { isQuick: false });
  return isHung || failed.length > 0;
}

function toFinding({ failed, isHung }: SpecsRun): Omit<Result, 'name' | 'seconds'> | undefined {
  if (isHung) return { outcome: 'hung' };
  const [first] = failed;
  return first && { outcome: 'detected', spec: first.spec, test: first.test };
}

/** The calls of vitest: first what is likely to fail; then all specs of the package, and those of its dependents. */
function runsOf(
  fault: Fault,
  spec: string | undefined,
): { readonly options: readonly string[]; readonly isQuick: boolean }[] {
  const [first = '', ...others] = fault.projects;
  const named = (names: readonly string[]): string[] => names.map((name) => `--project=${name}`);
  return [
    ...(spec === undefined ? [] : [{ options: [spec], isQuick: false }]),
    { options: likelySpecs(fault), isQuick: true },
    { options: named([first]), isQuick: true },
    { options: ['.slow.spec.ts', ...named([first])], isQuick: false },
    ...(others.length === 0
      ? []
      : [
          { options: named(others), isQuick: true },
          { options: ['.slow.spec.ts', ...named(others)], isQuick: false },
        ]),
  ];
}

/** The specs of the folders and files that the patch changes, and the behaviour that every adapter has. */
function likelySpecs({ files }: Fault): string[] {
  const near = files.flatMap((file) => {
    const [, project, folder] = /^packages\/(\w+)\/src\/(?:adapter\/)?([\w-]+)/.exec(file) ?? [];
    if (project === undefined) return [];
    const conformance = `packages/${project === 'core' ? 'node' : project}/test/conformance`;
    return [`packages/${project}/test/${folder}`, `${conformance}.spec.ts`, `${conformance}-h`];
  });
  return [...new Set(near)];
}

async function lookWithE2e(
  given: string,
  { scratch, log }: SpecsPlace,
): Promise<Omit<Result, 'name' | 'seconds'>> {
  const code = await runProgram('node', ['tools/e2e/run.mjs', ...given.split(/\s+/)], {
    ...{ cwd: scratch, env: process.env, log, limitMs: 30 * 60_000 },
  });
  if (code === undefined) return { outcome: 'hung' };
  return code === 0
    ? { outcome: 'missed' }
    : { outcome: 'detected', spec: 'npm run e2e', test: given };
}

function firstLine(error: unknown): string {
  return String(error instanceof Error ? error.message : error).split('\n', 1)[0]!;
}
