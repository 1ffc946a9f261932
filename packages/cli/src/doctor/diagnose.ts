import { basename, dirname, relative } from 'node:path';
import { examine } from './examine.ts';
import { findBuild, type Wanted } from './facts/find-build.ts';
import { type BuildFacts, readBuild } from './facts/read-build.ts';
import { readMachine } from './facts/read-machine.ts';
import { readPackages } from './facts/read-packages.ts';
import { startServer } from './facts/start-server.ts';
import type { Finding } from './finding.ts';
import type { Asks } from './probe/probe-message.ts';

/** What is to be checked, and how. */
export interface Examination extends Wanted {
  /** Whether the program is started. */
  readonly start: boolean;
  /** A page to render, from "/". */
  readonly render: string | undefined;
  readonly withinMs: number;
}

/** Where things are looked up; other than the real ones in tests. */
export interface Surroundings {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The folder that has `sys` and `proc`. */
  readonly root: string;
}

/** The result of an examination. */
export interface Diagnosis {
  readonly outputPath: string;
  readonly findings: readonly Finding[];
}

/**
 * Checks a build, and the environment that this process runs in.
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID`, `NG_SSR_BROWSER_FOLDER_MISSING`
 */
export async function diagnose(
  examination: Examination,
  { cwd, env, root }: Surroundings,
): Promise<Diagnosis> {
  const place = findBuild(cwd, examination);
  const build = readBuild(place);
  const isStarted = examination.start && build.hasServer;
  const server = isStarted
    ? await startServer(place.server, asksFor(build, examination), cwd, env)
    : undefined;
  const packages = readPackages(place.workspace);
  const findings = examine({ build, server, machine: readMachine(root, env), packages });
  return { outputPath: relative(cwd, place.outputPath) || '.', findings };
}

/** A script is the same for every client; a prerendered page causes no render. */
function asksFor({ files, prerendered }: BuildFacts, { render, withinMs }: Examination): Asks {
  const scripts = files.filter(({ path }) => /^\/[^/]+\.js$/.test(path));
  // Compression middleware leaves small answers alone.
  const script = scripts.toSorted((a, b) => b.bytes - a.bytes)[0];
  const page = prerendered.find(({ path }) => basename(path) === 'index.html');
  return {
    file: script?.path,
    page: page && encodeURI(dirname(page.path)),
    render,
    withinMs,
  };
}
