import { relative } from 'node:path';
import { SsrError } from '@ng-ssr/core/pack';
import type { Surroundings } from '../doctor/diagnose.ts';
import { findBuild, type Wanted } from '../doctor/facts/find-build.ts';
import { readBuild } from '../doctor/facts/read-build.ts';
import { Progress } from '../terminal/progress.ts';
import { wrongArguments } from '../wrong-arguments.ts';
import { ComparedServer } from './compared-server.ts';
import { findRoutes } from './find-routes.ts';
import { judge, type Verdict } from './judge.ts';

/** So often a page is asked for that does not prove to be the same. */
const TRIES = 3;

/** What is to be compared. */
export interface Comparison extends Wanted {
  /** Paths beside the routes of the build, from "/". */
  readonly urls: readonly string[];
  /** How long the program may take to its start, and each page. */
  readonly withinMs: number;
}

/** A page that was compared. */
export interface ComparedRoute {
  readonly path: string;
  readonly verdict: Verdict;
  /** Why it is not rendered fast; undefined if it is, or if it is not rendered at all. */
  readonly left: string | undefined;
}

/** The result of a comparison. */
export interface CompareReport {
  readonly outputPath: string;
  readonly routes: readonly ComparedRoute[];
  /** Routes with parameters, of which no path is known. */
  readonly withParameters: readonly string[];
}

/**
 * Renders each route of a build fast, and with Angular's own DOM.
 *
 * The program runs in three processes that get the same requests in the same order, so that what counts up in a process
 * is the same in all of them. Two of them render with Angular's own DOM, one before and one after the fast one: what
 * differs between these cannot be compared.
 *
 * @throws SsrError `NG_SSR_COMMAND_INVALID`, `NG_SSR_BROWSER_FOLDER_MISSING`, `NG_SSR_ENGINE_NOT_BUILT`
 */
export async function comparePages(
  comparison: Comparison,
  surroundings: Pick<Surroundings, 'cwd' | 'env'>,
): Promise<CompareReport> {
  const place = findBuild(surroundings.cwd, comparison);
  const build = readBuild(place);
  if (!build.hasServer)
    throw wrongArguments(`${place.server} is missing: --compare needs the program`);
  const { paths, withParameters } = await findRoutes(build);
  const all = [...new Set([...paths, ...comparison.urls])];
  if (all.length === 0) {
    throw wrongArguments(
      'the build lists no routes: pass pages with --url, as in --url /products/1',
    );
  }
  const servers = [false, true, false].map(
    (isFast) => new ComparedServer(place.server, isFast, comparison.withinMs, surroundings),
  );
  try {
    for (const failure of await Promise.all(servers.map((server) => server.start()))) {
      if (failure === undefined) continue;
      throw new SsrError('NG_SSR_ENGINE_NOT_BUILT', `pages cannot be compared: ${failure}`);
    }
    const routes = await compareAll(all, servers);
    return {
      outputPath: relative(surroundings.cwd, place.outputPath) || '.',
      routes,
      withParameters,
    };
  } finally {
    for (const server of servers) server.stop();
  }
}

async function compareAll(
  paths: readonly string[],
  servers: readonly ComparedServer[],
): Promise<readonly ComparedRoute[]> {
  const progress = new Progress('comparing', 'pages');
  const routes: ComparedRoute[] = [];
  try {
    for (const path of paths) {
      progress.show(routes.length, paths.length);
      routes.push(await compareRoute(path, servers));
    }
  } finally {
    progress.end();
  }
  return routes;
}

async function compareRoute(
  path: string,
  servers: readonly ComparedServer[],
): Promise<ComparedRoute> {
  let left: string | undefined;
  const verdicts: Verdict[] = [];
  while (verdicts.length < TRIES && !verdicts.some(isConclusive)) {
    const pages = [];
    // One after the other: what changes in time changes from the first to the last.
    for (const server of servers) {
      const message = await server.ask(path);
      left ??= message?.notices[0];
      pages.push(message?.page);
    }
    verdicts.push(judge(pages[0], pages[1], pages[2]));
  }
  return { path, verdict: conclude(verdicts), left };
}

/** Whether another try would say nothing else. */
function isConclusive(verdict: Verdict): boolean {
  return verdict.kind === 'not-comparable' ? verdict.isRestSame : verdict.kind !== 'different';
}

/** A difference that is not there when the page is asked for again is none of the two ways. */
function conclude(verdicts: readonly Verdict[]): Verdict {
  const last = verdicts.at(-1)!;
  const first = verdicts.find(({ kind }) => kind === 'different') ?? verdicts[0]!;
  if (!isConclusive(last) || last.kind !== 'same' || !('difference' in first)) {
    return isConclusive(last) ? last : first;
  }
  return { kind: 'not-comparable', isRestSame: true, difference: first.difference };
}
